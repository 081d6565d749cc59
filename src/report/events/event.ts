import type { Measurement, Report, Run, Warning } from '../schema/report.js';

/** A system call that does not return, and for how long. */
export interface Stall {
  readonly waitingFor: string;
  readonly seconds: number;
  /** Whether the run was aborted, and cannot stop for this. */
  readonly isAborted: boolean;
}

/** Work besides measuring that may take long. */
export const ACTIVITIES = ['preparing', 'emptying-cache', 'syncing', 'removing'] as const;
export type Activity = (typeof ACTIVITIES)[number];

/** What is still to be removed: told once a second while files are removed. */
export interface RemainingFiles {
  readonly bytes: number;
  /** Small files. */
  readonly files: number;
}

/** When a phase will be done. */
export interface PhaseGoal {
  readonly unit: 'bytes' | 'operations' | 'seconds';
  readonly amount: number;
  /** When --stonewall cuts it, if it is not done before. */
  readonly timeLimitSeconds?: number;
}

/** What happens during a run, as it happens. */
export type RunEvent =
  /** The report before anything was measured. */
  | { readonly type: 'start'; readonly report: Report }
  | { readonly type: 'run-start'; readonly run: number }
  | { readonly type: 'phase-start'; readonly run: number; readonly phase: string; readonly goal: PhaseGoal }
  /** What all threads together have done since the phase started: ten times a second. */
  | {
      readonly type: 'sample';
      readonly run: number;
      readonly phase: string;
      readonly seconds: number;
      readonly bytes: number;
      readonly operations: number;
      /** Of the operations that ended since the sample before; null if there are none. */
      readonly latencyNs?: { readonly p50: number; readonly p99: number; readonly max: number } | null;
    }
  /** An activity begins; it lasts until a phase makes progress or ends. */
  | { readonly type: 'activity'; readonly activity: Activity; readonly remaining?: RemainingFiles }
  /** In a job of several processes with the report so far, as a rank that is killed may end all of them. */
  | {
      readonly type: 'phase-end';
      readonly run: number;
      readonly measurement: Measurement;
      readonly report?: Report;
    }
  /** The report after this run; its outcome is still `running`. */
  | { readonly type: 'run-end'; readonly run: number; readonly result: Run; readonly report: Report }
  /** The kernel does not answer. */
  | ({ readonly type: 'stall' } & Stall)
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'end'; readonly report: Report };
