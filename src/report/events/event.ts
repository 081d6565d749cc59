import type { Measurement, Report, Run, Warning } from '../schema/report.js';

/** Work outside measurements that may take long. */
export const ACTIVITIES = [
  'preparing',
  'waiting-for-space',
  'dropping-cache',
  'syncing',
  'removing',
] as const;

/** An event during a run, sent as it happens. */
export type RunEvent =
  /** The report before the first measurement. */
  | { readonly type: 'start'; readonly report: Report }
  | { readonly type: 'run-start'; readonly run: number }
  | {
      readonly type: 'phase-start';
      readonly run: number;
      readonly phase: string;
      /** The phase ends when it reaches this amount. */
      readonly goal: {
        readonly unit: 'bytes' | 'operations' | 'seconds';
        readonly amount: number;
        /** When --stonewall stops the phase, if it has not ended before. */
        readonly timeLimitSeconds?: number;
      };
    }
  /** The work of all threads since the phase started, sent ten times a second. */
  | {
      readonly type: 'sample';
      readonly run: number;
      readonly phase: string;
      readonly seconds: number;
      readonly bytes: number;
      readonly operations: number;
      /** Latencies of the operations since the previous sample; null without operations. */
      readonly latencyNs?: { readonly p50: number; readonly p99: number; readonly max: number } | null;
    }
  /** An activity begins; it lasts until a phase makes progress or ends. */
  | { readonly type: 'activity'; readonly activity: (typeof ACTIVITIES)[number] }
  /** In a job, includes the report so far, because a killed rank may end every rank. */
  | {
      readonly type: 'phase-end';
      readonly run: number;
      readonly measurement: Measurement;
      readonly report?: Report;
    }
  /** The report after this run; its outcome is still `running`. */
  | { readonly type: 'run-end'; readonly run: number; readonly result: Run; readonly report: Report }
  /** A system call does not return. */
  | {
      readonly type: 'stall';
      readonly waitingFor: string;
      readonly seconds: number;
      /** True if the run was aborted and waits only for this call. */
      readonly isAborted: boolean;
    }
  | { readonly type: 'warning'; readonly warning: Warning }
  | { readonly type: 'end'; readonly report: Report };

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

export type PhaseGoal = EventOf<'phase-start'>['goal'];
export type Activity = EventOf<'activity'>['activity'];
export type Stall = Omit<EventOf<'stall'>, 'type'>;
