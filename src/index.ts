export type {
  Assignment,
  ByteMode,
  DataPattern,
  FileTree,
  Slice,
  Transfer,
} from '../workers/protocol.js';
export type { MetricChange, Comparison, ComparisonMethod, ChangeSide, ComparisonVerdict } from './compare/comparison.js';
export type { EnvironmentDifference } from './compare/facts.js';
export { type ErrorCode, type ErrorKind, GobonnieError } from './errors.js';
export type { FormatName } from './format/index.js';
export { type ComparisonFormatter, comparisonFormats } from './format/people/comparison.js';
export { type ComparisonInput, type ComparisonResult, type CompareOptions, compare } from './library/compare.js';
export { formats, type ReportFormatter } from './library/formats.js';
export { type CheckOptions, check } from './library/judge.js';
export { plan } from './library/plan.js';
export { run } from './library/run.js';
export type { RunHandle } from './library/running.js';
export { schemas } from './library/schemas.js';
export type { Disk } from './machine/block-device.js';
export type { LowerCache } from './machine/filesystem.js';
export type { Host, ProcessLimits } from './machine/host.js';
export type { Claim, Machine, Target } from './machine/machine.js';
export type { Options, OptionsInput } from './options/schema.js';
export type { IoMemoryLayout } from './plan/memory.js';
export type { JobPosition } from './plan/place.js';
export type { Plan } from './plan/plan.js';
export type { ScratchLayout, TreeShape } from './plan/stored.js';
export type { GobonniegoJson } from './read/ancestors/gobonniego-json.js';
export type { MetricUnit } from './report/amount.js';
export type { Activity, PhaseGoal, RemainingFiles, RunEvent, Stall } from './report/events/event.js';
export type { EventRecord } from './report/events/event-record.js';
export type {
  CacheHandling,
  DeviceIo,
  ExpectationResult,
  RateStatistics,
  Latency,
  Measurement,
  MemoryCeiling,
  Outcome,
  Report,
  Run,
  TimeSeries,
  Warning,
} from './report/schema/report.js';
export type { RunHooks } from './run/context.js';
export type { SystemError } from './system-error.js';
export type { OptionRef, MessageTemplate } from './text/sentence.js';
