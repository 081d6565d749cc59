export type {
  ChangeSide,
  Comparison,
  ComparisonMethod,
  ComparisonVerdict,
  EnvironmentDifference,
  MetricChange,
} from './compare/comparison-schema.js';
export { type ErrorCode, type ErrorKind, GobonnieError } from './errors.js';
export { type ComparisonFormatter, comparisonFormats } from './format/human/commands/comparison-format.js';
export type { FormatName } from './format/index.js';
export { type CheckOptions, check } from './library/check.js';
export {
  type CompareOptions,
  type ComparisonInput,
  type ComparisonResult,
  compare,
} from './library/compare.js';
export { formats, type ReportFormatter } from './library/formats.js';
export { type Plan, plan } from './library/plan.js';
export { type RunHandle, run } from './library/run.js';
export { schemas } from './library/schemas.js';
export type { Machine, Target } from './machine/machine-schema.js';
export type { Options, OptionsInput } from './options/options-schema.js';
export type { GobonniegoJson } from './read/compat/gobonniego.js';
export type { MetricUnit } from './report/amount.js';
export type { EventRecord, RunEvent } from './report/events/event-record.js';
export type {
  CacheHandling,
  DeviceIo,
  ExpectationResult,
  Latency,
  Measurement,
  MemoryCeiling,
  Outcome,
  RateStatistics,
  Report,
  Run,
  TimeSeries,
  Warning,
} from './report/schema/report.js';
export type { RunHooks } from './run/run-hooks.js';
