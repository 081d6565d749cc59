import type { RankMeasurement } from '../report/measure/merge-ranks.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';

/** Other processes that run the same measurement at the same time. */
export interface PeerGroup {
  /** The report's facts about the job. Undefined for a single process. */
  readonly record: Report['job'];
  /** Runs a collective step; a failure on any rank fails it on all ranks. */
  runTogether<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs a phase as a collective step. Returns the merged result on rank 0, otherwise its own; null after an abort. */
  measureTogether(work: () => Promise<Measurement | null>): Promise<Measurement | null>;
  /** Call once within a phase: resolves when all ranks are ready to begin. */
  gate(): Promise<void>;
  /** Records when this process started the phase, by process.hrtime. */
  recordStart(gateNs: bigint): void;
  /** The rank that created the files that this rank uses. */
  readonly source: number;
  /** From now on this rank uses its own files. For ranks that do not share a directory. */
  useOwnFiles(): void;
  /** All-gathers a text; returns the texts of the ranks in `from`, or an empty list after an abort. */
  allGather(text: string, from: readonly number[]): Promise<readonly string[]>;
  /** True if the answer of every rank is true. */
  allTrue(answer: boolean): Promise<boolean>;
  /** Every rank's result of the last phase on rank 0; empty on other ranks and for a single process. */
  readonly rankMeasurements: readonly RankMeasurement[];
  /** Sends the warning to rank 0 with the next collective step. */
  forwardWarning(warning: Warning): void;
  /** Removes and returns the warnings that rank 0 has received from other ranks; empty on other ranks. */
  takeWarnings(): readonly Warning[];
  /** Returns rank 0's answer. A true answer also ends the collective steps. */
  broadcast(answer: boolean): Promise<boolean>;
}

/** For a run of one process. */
export const NO_PEERS: PeerGroup = {
  record: undefined,
  runTogether: (work) => work(),
  measureTogether: (work) => work(),
  gate: async () => {},
  recordStart: () => {},
  source: 0,
  useOwnFiles: () => {},
  allGather: async (text, from) => from.map(() => text),
  allTrue: async (answer) => answer,
  rankMeasurements: [],
  forwardWarning: () => {},
  takeWarnings: () => [],
  broadcast: async (answer) => answer,
};
