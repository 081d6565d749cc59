import type { RunPlan } from '../plan/plan.js';
import type { RunEvent } from '../report/events/event-record.js';
import type { Report, Warning } from '../report/schema/report.js';
import type { Scratch } from '../scratch/scratch.js';
import type { PageCache } from './cache/page-cache.js';
import type { FileLocations } from './file-locations.js';
import type { StallDetector } from './kernel/stall-detector.js';
import type { PeerGroup } from './peer-group.js';
import type { RunHooks } from './run-hooks.js';
import type { WorkerPool } from './worker-pool/worker-pool.js';

/** Settings of a run that are not in its plan. */
export interface ExecuteHooks extends RunHooks {
  /** If true, does not measure the rate of cached reads after the first run. */
  readonly skipsCeiling?: boolean;
  /** If true, does not measure a step again with direct I/O if the page cache served part of it. */
  readonly allowCached?: boolean | undefined;
  /** Aborting it ends the step in progress as if its time were over. */
  readonly end?: AbortSignal | undefined;
  /** The other ranks of a job. */
  readonly peers?: PeerGroup | undefined;
  /** If true, makes one run: the caller repeats it in turn with those of other plans. */
  readonly isSingleRun?: boolean;
  /** Whether to measure a step, given the results so far. By default, all steps are measured. */
  readonly isStepNeeded?: ((step: string, report: Report) => boolean) | undefined;
  /** Whether more runs would not change a comparison with the report. */
  readonly isDecided?: ((report: Report) => boolean) | undefined;
}

/** Shared by all steps of a run. */
export interface RunContext extends ExecuteHooks {
  readonly plan: RunPlan;
  readonly scratch: Scratch;
  readonly fileLocations: FileLocations;
  /** The threads of the step in progress. */
  readonly workerPool: WorkerPool;
  /** The threads of all steps, by the index of their group. */
  readonly workerPools: readonly WorkerPool[];
  readonly cache: PageCache;
  readonly stallDetector: StallDetector;
  readonly signal: AbortSignal;
  readonly end: AbortSignal;
  readonly onEvent: (event: RunEvent) => void;
  /** Adds a warning to the report, once. */
  readonly warn: (warning: Warning) => void;
  /** Includes the current run, so a failure does not lose its results. */
  readonly report: Report;
}
