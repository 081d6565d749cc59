export { run } from './library/run.js';
export type { Running } from './library/running.js';
export { type ErrorCode, GobonnieError } from './errors.js';
export type { Machine, Target } from './machine.js';
export type { OptionsInput } from './options/judge.js';
export type { Options } from './options/schema.js';
export type { Plan } from './plan.js';
export type { RunEvent } from './report/event.js';
export {
  type CacheRecord,
  type Device,
  type FigureStatistics,
  type Latency,
  type Measurement,
  type Outcome,
  type Report,
  type Run,
  reportSchema,
  type Series,
  type Warning,
} from './report/report.js';
export type { RunHooks } from './run/run.js';
