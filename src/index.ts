export type {
  Assignment,
  ByteMode,
  DataPattern,
  FileTree,
  Slice,
  Transfer,
} from '../workers/protocol.js';
export type {
  ChangeSide,
  Comparison,
  ComparisonMethod,
  ComparisonVerdict,
  MetricChange,
} from './compare/comparison.js';
export type { EnvironmentDifference } from './compare/properties.js';
export { type ErrorCode, type ErrorKind, GobonnieError } from './errors.js';
export { type ComparisonFormatter, comparisonFormats } from './format/human/comparison-format.js';
export type { FormatName } from './format/index.js';
export { type CheckOptions, check } from './library/check.js';
export {
  type CompareOptions,
  type ComparisonInput,
  type ComparisonResult,
  compare,
} from './library/compare.js';
export { formats, type ReportFormatter } from './library/formats.js';
export { plan } from './library/plan.js';
export { run } from './library/run.js';
export type { RunHandle } from './library/run-handle.js';
export { schemas } from './library/schemas.js';
export type { Disk } from './machine/block-device.js';
export type { LowerCache } from './machine/filesystem.js';
export type { Host, ProcessLimits } from './machine/host.js';
export type { Claim, Machine, Target } from './machine/machine.js';
export type { Options, OptionsInput } from './options/options-schema.js';
export type { JobPosition } from './plan/job-position.js';
export type { IoMemoryLayout } from './plan/memory-layout.js';
export type { Plan } from './plan/plan.js';
export type { ScratchLayout, TreeShape } from './plan/scratch-layout.js';
export type { GobonniegoJson } from './read/compat/gobonniego-json.js';
export type { MetricUnit } from './report/amount.js';
export type { Activity, PhaseGoal, RemainingFiles, RunEvent, Stall } from './report/events/event.js';
export type { EventRecord } from './report/events/event-record.js';
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
export type { RunHooks } from './run/run-context.js';
export type { SystemError } from './system-error.js';
export type { MessageTemplate, OptionRef } from './text/message-template.js';
