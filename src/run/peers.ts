import type { Part } from '../report/measure/merge-ranks.js';
import type { Measurement, Report, Warning } from '../report/schema/report.js';

/** How long a phase may take that --stonewall may cut. */
export interface Stonewalled {
  readonly lastSeconds: number;
}

/** Other processes that measure the same at the same time. */
export interface Peers {
  /** What the report says of them. */
  readonly record: Report['job'];
  /** Does what all of them do; if it fails in one, it fails in all. */
  done<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The same for a phase: what all measured together. Null after an abort. */
  measured(
    work: () => Promise<Measurement | null>,
    stonewall: Stonewalled | null,
  ): Promise<Measurement | null>;
  /** Within a phase: resolves when all are about to begin. */
  gate(): Promise<void>;
  /** Within a phase that --stonewall may cut: of all of them the most steps that a worker has taken. */
  furthest(steps: number): Promise<number>;
  /** When this process began, by process.hrtime. */
  began(gateNs: bigint): void;
  /** Which rank has made what this one uses. */
  readonly source: number;
  /** For ranks that do not see each other's files: each uses what it has made. */
  useOwn(): void;
  /** Tells all a text; what each of `from` has told. */
  told(text: string, from: readonly number[]): Promise<readonly string[]>;
  /** Whether all answer yes. */
  all(answer: boolean): Promise<boolean>;
  /** The least that any of them answers. */
  least(answer: number): Promise<number>;
  /** What each of them did in the last phase, for the first of them; empty for one process alone. */
  readonly parts: readonly Part[];
  /** Tells the first of them of something about this process, with the next thing that all do. */
  warned(warning: Warning): void;
  /** What the others have told of since the last call; empty but for the first of them. */
  takeWarnings(): readonly Warning[];
  /** What the first of them answers. */
  agreed(answer: boolean): Promise<boolean>;
}

/** For a run of one process. */
export const ALONE: Peers = {
  record: undefined,
  done: (work) => work(),
  measured: (work) => work(),
  gate: async () => {},
  furthest: async (steps) => steps,
  began: () => {},
  source: 0,
  useOwn: () => {},
  told: async (text, from) => from.map(() => text),
  all: async (answer) => answer,
  least: async (answer) => answer,
  parts: [],
  warned: () => {},
  takeWarnings: () => [],
  agreed: async (answer) => answer,
};
