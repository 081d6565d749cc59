import * as z from 'zod';
import {
  latencyRangeSchema,
  measurementSchema,
  positiveInteger,
  rate,
  seconds,
  timedOperationSchema,
} from '../schema/measurement-schema.js';
import { type Report, type Run, reportSchema, warningSchema } from '../schema/report.js';

export const EVENT_SCHEMA = 'gobonnie-event/1';

/** Work outside measurements that may take long. */
const ACTIVITIES = [
  'preparing',
  'pausing',
  'waiting-for-space',
  'dropping-cache',
  'syncing',
  'removing',
] as const;
const run = positiveInteger;
const { startedAt, cache, memoryCeiling, layout, statistics, outcome, expectations, reference } =
  reportSchema.shape;
/** The warnings so far, over all runs so far. */
const warnings = reportSchema.shape.warnings.optional();

function event<Type extends string, Content extends z.ZodRawShape>(type: Type, content: Content) {
  return z.object({
    schema: z.literal(EVENT_SCHEMA),
    /** The time of the event. Null if unknown. */
    time: z.iso.datetime().nullable(),
    type: z.literal(type),
    ...content,
  });
}

/** An event of a run, as plain data. A major version only ever adds fields. */
export const eventRecordSchema = z.discriminatedUnion('type', [
  /** The report before the first measurement. */
  event('start', { report: reportSchema }),
  event('run-start', { run }),
  event('step-start', {
    run,
    ...measurementSchema.pick({ step: true, phase: true, title: true, primaryRate: true }).shape,
    /** The step ends when it reaches this amount. */
    goal: z.object({
      unit: z.enum(['bytes', 'operations', 'seconds']),
      amount: rate,
      /** When the time limit stops the step, if it has not ended before. */
      timeLimitSeconds: seconds.optional(),
    }),
  }),
  /** The work of all threads since the step started, sent ten times a second. */
  event('sample', {
    run,
    step: z.string(),
    seconds,
    bytes: rate,
    operations: rate,
    /** Latencies of the operations since the previous sample; null without operations. */
    latencyNs: latencyRangeSchema.nullable().optional(),
    /** The operations since the previous sample, in a step with pauses. */
    recent: z.array(timedOperationSchema).readonly().optional(),
  }),
  /** An activity begins; it lasts until a step makes progress or ends. */
  event('activity', { activity: z.enum(ACTIVITIES) }),
  event('step-end', { run, measurement: measurementSchema }),
  /** The parts of the report that a run changes. */
  event('run-end', { run, startedAt, cache, memoryCeiling, layout, warnings }),
  event('warning', { warning: warningSchema }),
  /** A system call does not return. */
  event('stall', {
    waitingFor: z.string(),
    seconds,
    /** True if the run was aborted and waits only for this call. */
    isAborted: z.boolean(),
  }),
  /** The result of all runs, without the measurements, which earlier lines contain. */
  event('end', { startedAt, cache, statistics, outcome, expectations, warnings, reference, layout }),
]);

export type EventRecord = z.infer<typeof eventRecordSchema>;

/** Each kind of record without the keys that all records share. */
type RecordContent<Kind = EventRecord> = Kind extends EventRecord ? Omit<Kind, 'schema' | 'time'> : never;

/** An event during a run, sent as it happens: the content of its record, but with the whole report at an end. */
export type RunEvent =
  | Exclude<RecordContent, { readonly type: 'sample' | 'step-end' | 'run-end' | 'end' }>
  /** Every ten seconds of a step with pauses, includes the report so far. */
  | (Extract<RecordContent, { readonly type: 'sample' }> & { readonly report?: Report })
  /** In a job, includes the report so far, because a killed rank may end every rank. */
  | (Extract<RecordContent, { readonly type: 'step-end' }> & { readonly report?: Report })
  /** The report after this run; its outcome is still `running`. */
  | { readonly type: 'run-end'; readonly run: number; readonly result: Run; readonly report: Report }
  | { readonly type: 'end'; readonly report: Report };

type EventOf<Type extends RunEvent['type']> = Extract<RunEvent, { readonly type: Type }>;

export type StepGoal = EventOf<'step-start'>['goal'];
export type Activity = EventOf<'activity'>['activity'];
export type Stall = Omit<EventOf<'stall'>, 'type'>;
export type ProgressSample = Omit<EventOf<'sample'>, 'type' | 'run' | 'step' | 'report'>;

/** Returns an event as plain data, without the data of earlier records. */
export function toEventRecord(event: RunEvent, at: Date): EventRecord {
  return createRecord(toContent(event), at.toISOString());
}

/** Rebuilds the events of a report, without samples and most times, which a report lacks. */
export function toEventRecords(report: Report): readonly EventRecord[] {
  const { expectations, memoryCeiling, reference, ...facts } = report;
  // The report as it was before the first measurement.
  const start: Report = { ...facts, runs: [], statistics: [], warnings: [], outcome: { state: 'running' } };
  const records = [
    createRecord({ type: 'start', report: start }, report.startedAt),
    ...report.runs.flatMap((run, at) => toRunRecords(run, at, report)),
    ...report.warnings.map((warning) => createRecord({ type: 'warning', warning })),
  ];
  if (report.outcome.state !== 'running') records.push(createRecord(toEndContent(report)));
  return records;
}

function toRunRecords({ startedAt, state, measurements }: Run, at: number, { cache, memoryCeiling }: Report) {
  const run = at + 1;
  const records = [
    createRecord({ type: 'run-start', run }, startedAt),
    ...measurements.map((measurement) => createRecord({ type: 'step-end', run, measurement })),
  ];
  const end = createRecord({ type: 'run-end', run, startedAt, cache, memoryCeiling });
  return state === 'completed' ? [...records, end] : records;
}

function toContent(event: RunEvent): RecordContent {
  switch (event.type) {
    case 'run-end': {
      const { type, run, result, report } = event;
      const { cache, memoryCeiling, layout, warnings } = report;
      return { type, run, startedAt: result.startedAt, cache, memoryCeiling, layout, warnings };
    }
    case 'sample':
    case 'step-end': {
      const { report, ...content } = event;
      return content;
    }
    case 'end':
      return toEndContent(event.report);
    default:
      return event;
  }
}

function toEndContent(report: Report): RecordContent {
  const { startedAt, cache, statistics, outcome, expectations, warnings, reference, layout } = report;
  return { type: 'end', startedAt, cache, statistics, outcome, warnings, expectations, reference, layout };
}

/** Puts the schema and type first, so readers can identify a record by the start of its line. */
function createRecord(content: RecordContent, time: string | null = null): EventRecord {
  const { type, ...rest } = content;
  return { schema: 'gobonnie-event/1', type, time, ...rest } as EventRecord;
}
