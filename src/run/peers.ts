import type { Measurement, Report } from '../report/schema/report.js';

/** Other processes that measure the same at the same time. */
export interface Peers {
  /** What the report says of them. */
  readonly record: Report['job'];
  /** Does what all of them do; if it fails in one, it fails in all. */
  done<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same for a phase: what all measured together. Null after an abort. */
  measured(work: () => Promise<Measurement | null>): Promise<Measurement | null>;
  /** Within a phase: resolves when all are about to begin. */
  gate(): Promise<void>;
  /** When this process began, by process.hrtime. */
  began(gateNs: bigint): void;
  /** What the first of them answers. */
  agreed(answer: boolean): Promise<boolean>;
}

/** For a run of one process. */
export const ALONE: Peers = {
  record: undefined,
  done: (work) => work(),
  measured: (work) => work(),
  gate: async () => {},
  began: () => {},
  agreed: async (answer) => answer,
};
