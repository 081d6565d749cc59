import type { RankMeasurement } from '../report/measure/merge-ranks.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';

/** A measurement of this process, and when the phase started, by process.hrtime. */
export interface OwnMeasurement {
  readonly measurement: Measurement;
  readonly gateNs: bigint;
}

export interface JointMeasurement {
  /** Merged over all ranks on rank 0, otherwise this process's own. */
  readonly measurement: Measurement;
  /** Every rank's measurement on rank 0; empty on other ranks and for a single process. */
  readonly rankMeasurements: readonly RankMeasurement[];
}

/** Other processes that run the same measurement at the same time. All call the same operations in the same order. */
export interface PeerGroup {
  /** The report's facts about the job. Undefined for a single process. */
  readonly record: Report['job'];
  /** The rank that created the files that this rank uses. */
  readonly source: number;
  /** Does the work on all ranks; a failure on any rank fails it on all ranks. */
  step<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Measures a phase as a step. Null after an abort. */
  measure(work: () => Promise<OwnMeasurement | null>): Promise<JointMeasurement | null>;
  /** Call once within a phase: resolves when all ranks are ready to begin. */
  gate(): Promise<void>;
  /** Returns rank 0's decision about the values of all ranks, or `own` after an abort. */
  agree(own: boolean, decide: (all: readonly boolean[]) => boolean): Promise<boolean>;
  /** Shares a text with all ranks; returns the texts of the ranks in `from`, or an empty list after an abort. */
  share(text: string, from: readonly number[]): Promise<readonly string[]>;
  /** No steps follow. */
  finish(): void;
  /** Sends the warning to rank 0 with the next step. */
  forwardWarning(warning: Warning): void;
  /** Removes and returns the warnings that rank 0 has received from other ranks; empty on other ranks. */
  takeWarnings(): readonly Warning[];
}

export const NO_PEERS: PeerGroup = {
  record: undefined,
  source: 0,
  step: (work) => work(),
  measure: async (work) => {
    const own = await work();
    return own && { measurement: own.measurement, rankMeasurements: [] };
  },
  gate: async () => {},
  agree: async (own) => own,
  share: async (text, from) => from.map(() => text),
  finish: () => {},
  forwardWarning: () => {},
  takeWarnings: () => [],
};
