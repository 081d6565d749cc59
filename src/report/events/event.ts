import type { Measurement, Report, Run } from '../schema/report.js';
import type { RecordContent } from './event-record.js';

/** An event during a run, sent as it happens: the content of its record, but with the whole report at an end. */
export type RunEvent =
  | Exclude<RecordContent, { readonly type: 'step-end' | 'run-end' | 'end' }>
  /** In a job, includes the report so far, because a killed rank may end every rank. */
  | {
      readonly type: 'step-end';
      readonly run: number;
      readonly measurement: Measurement;
      readonly report?: Report;
    }
  /** The report after this run; its outcome is still `running`. */
  | { readonly type: 'run-end'; readonly run: number; readonly result: Run; readonly report: Report }
  | { readonly type: 'end'; readonly report: Report };

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

export type StepGoal = EventOf<'step-start'>['goal'];
export type Activity = EventOf<'activity'>['activity'];
export type Stall = Omit<EventOf<'stall'>, 'type'>;
