import type { RankMeasurement } from '../report/measure/merge-ranks.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';

/** A measurement of this process. */
export interface OwnMeasurement {
  readonly measurement: Measurement;
  /** When the phase started, by process.hrtime. */
  readonly gateNs: bigint;
  /** The measurements of the steps that ran beside it. Absent in a job. */
  readonly background?: readonly Measurement[];
  /** The bytes or files that each thread has created, if --stonewall may have stopped it. */
  readonly created?: readonly number[] | undefined;
}

export interface JointMeasurement extends Pick<OwnMeasurement, 'background'> {
  /** Merged over all ranks on rank 0, otherwise this process's own. */
  readonly measurement: Measurement;
  /** Every rank's measurement on rank 0; empty on other ranks and for a single process. */
  readonly rankMeasurements: readonly RankMeasurement[];
}

/** A measurement of a step in a job, with the facts that the other ranks have sent. */
export interface PeerMeasurement extends JointMeasurement {
  /** The other ranks' new warnings, on rank 0 only. */
  readonly warnings: readonly Warning[];
  /** `created` of the rank whose files this one uses. */
  readonly sourceCreated: readonly number[] | undefined;
}

/** The ranks whose files this one uses, and the names of their temporary directories. */
export interface SharedDirectories {
  /** The directory of rank 0, which has the files that all ranks share. */
  readonly firstName: string;
  readonly source: number;
  readonly sourceName: string;
}

/**
 * The ranks of a job, which all measure the same steps. A failure of one rank fails all of them: the others throw it at
 * the end of the step. After an abort, a rank no longer waits for the others, and the results are null.
 */
export interface PeerGroup {
  /** The report's facts about the job. */
  readonly record: NonNullable<Report['job']>;
  /**
   * Sends the name of this rank's directory. Null if each rank has to use its own directory, because rank 0 does not see
   * all of them. `areVisible` decides that on rank 0; an error that it throws fails all ranks.
   */
  shareDirectory(
    name: string,
    areVisible: (names: readonly string[]) => boolean,
  ): Promise<SharedDirectories | null>;
  /** Does work that all ranks complete before any of them continues. */
  step(work: () => Promise<void>): Promise<void>;
  /** Measures a step. `warnings`: all warnings of this rank so far. */
  measure(
    work: () => Promise<OwnMeasurement | null>,
    warnings: readonly Warning[],
  ): Promise<PeerMeasurement | null>;
  /** The barrier before a step; call once within `measure`. Resolves when all ranks are ready to begin. */
  gate(): Promise<void>;
  /** Call after the last step: later failures concern this rank alone. */
  finish(): Promise<void>;
}
