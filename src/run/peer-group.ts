import type { RankMeasurement } from '../report/measure/merge-ranks.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';

/** Time limit of a phase that --stonewall may stop. */
export interface StonewallLimit {
  readonly lastSeconds: number;
}

/** Other processes that run the same measurement at the same time. */
export interface PeerGroup {
  /** What the report says of them. */
  readonly record: Report['job'];
  /** Runs a collective step; a failure on any rank fails it on all ranks. */
  runTogether<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs a phase as a collective step. Returns the merged result, or null after an abort. */
  measureTogether(
    work: () => Promise<Measurement | null>,
    stonewall: StonewallLimit | null,
  ): Promise<Measurement | null>;
  /** Within a phase: resolves when all ranks are about to begin. */
  gate(): Promise<void>;
  /** Within a phase that --stonewall may cut: of all of them the most steps that a worker has taken. */
  maxSteps(steps: number): Promise<number>;
  /** Start time of this process, by process.hrtime. */
  recordStart(gateNs: bigint): void;
  /** The rank that created the files that this rank uses. */
  readonly source: number;
  /** For ranks that do not share files: each rank uses its own files. */
  useOwnFiles(): void;
  /** All-gathers a text; returns the texts of the ranks in `from`. */
  allGather(text: string, from: readonly number[]): Promise<readonly string[]>;
  /** True if all ranks answer yes. */
  allTrue(answer: boolean): Promise<boolean>;
  /** Returns the smallest value of all ranks. */
  min(answer: number): Promise<number>;
  /** What each of them did in the last phase, for the first of them; empty for one process alone. */
  readonly rankMeasurements: readonly RankMeasurement[];
  /** Sends the warning to rank 0 with the next collective step. */
  forwardWarning(warning: Warning): void;
  /** What the others have told of since the last call; empty but for the first of them. */
  takeWarnings(): readonly Warning[];
  /** Returns the answer of rank 0. */
  broadcast(answer: boolean): Promise<boolean>;
}

/** For a run of one process. */
export const NO_PEERS: PeerGroup = {
  record: undefined,
  runTogether: (work) => work(),
  measureTogether: (work) => work(),
  gate: async () => {},
  maxSteps: async (steps) => steps,
  recordStart: () => {},
  source: 0,
  useOwnFiles: () => {},
  allGather: async (text, from) => from.map(() => text),
  allTrue: async (answer) => answer,
  min: async (answer) => answer,
  rankMeasurements: [],
  forwardWarning: () => {},
  takeWarnings: () => [],
  broadcast: async (answer) => answer,
};
