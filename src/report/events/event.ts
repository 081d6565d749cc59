import type { Measurement, Report, Run, Warning } from '../schema/report.js';

/** Something that waits for the kernel, and how long it has. */
export interface Stall {
  readonly waiting: string;
  readonly seconds: number;
  /** Whether it is to end, and cannot. */
  readonly isAborted: boolean;
}

/** What is done beside the measuring, and may take its time. */
export const CHORES = ['preparing', 'emptying-cache', 'syncing', 'removing'] as const;
export type Chore = (typeof CHORES)[number];

/** When a phase will be done. */
export interface Goal {
  readonly unit: 'bytes' | 'operations' | 'seconds';
  readonly amount: number;
}

/** What happens during a run, as it happens. */
export type RunEvent =
  /** The report as it is before anything was measured. */
  | { readonly type: 'start'; readonly report: Report }
  | { readonly type: 'run-start'; readonly run: number }
  | { readonly type: 'phase-start'; readonly run: number; readonly phase: string; readonly goal: Goal }
  /** What all threads together have done of a phase since it was started: ten times a second. */
  | {
      readonly type: 'sample';
      readonly run: number;
      readonly phase: string;
      readonly seconds: number;
      readonly bytes: number;
      readonly operations: number;
    }
  /** Begun; it lasts until a phase moves on or is over. */
  | { readonly type: 'chore'; readonly chore: Chore }
  | { readonly type: 'phase-end'; readonly run: number; readonly measurement: Measurement }
  /** The report as it was after this run; its outcome says that it is running. */
  | { readonly type: 'run-end'; readonly run: number; readonly result: Run; readonly report: Report }
  /** The kernel does not answer. */
  | ({ readonly type: 'stall' } & Stall)
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'end'; readonly report: Report };
