import type { RankMeasurement } from '../report/measure/merge-ranks.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';

/** How long a phase may take that --stonewall may cut. */
export interface StonewallLimit {
  readonly lastSeconds: number;
}

/** Other processes that measure the same at the same time. */
export interface PeerGroup {
  /** What the report says of them. */
  readonly record: Report['job'];
  /** Does what all of them do; if it fails in one, it fails in all. */
  runTogether<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same for a phase: what all measured together. Null after an abort. */
  measureTogether(
    work: () => Promise<Measurement | null>,
    stonewall: StonewallLimit | null,
  ): Promise<Measurement | null>;
  /** Within a phase: resolves when all are about to begin. */
  gate(): Promise<void>;
  /** Within a phase that --stonewall may cut: of all of them the most steps that a worker has taken. */
  maxSteps(steps: number): Promise<number>;
  /** When this process began, by process.hrtime. */
  recordStart(gateNs: bigint): void;
  /** Which rank has made what this one uses. */
  readonly source: number;
  /** For ranks that do not see each other's files: each uses what it has made. */
  useOwnFiles(): void;
  /** Tells all a text; what each of `from` has told. */
  allGather(text: string, from: readonly number[]): Promise<readonly string[]>;
  /** Whether all answer yes. */
  allTrue(answer: boolean): Promise<boolean>;
  /** The least that any of them answers. */
  min(answer: number): Promise<number>;
  /** What each of them did in the last phase, for the first of them; empty for one process alone. */
  readonly rankMeasurements: readonly RankMeasurement[];
  /** Tells the first of them of something about this process, with the next thing that all do. */
  forwardWarning(warning: Warning): void;
  /** What the others have told of since the last call; empty but for the first of them. */
  takeWarnings(): readonly Warning[];
  /** What the first of them answers. */
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
