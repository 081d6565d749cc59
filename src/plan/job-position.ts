/** The rank that a plan is for, and the number of ranks. */
export interface JobPosition {
  readonly rank: number;
  readonly ranks: number;
}

/** The position of a run without a job. */
export const SINGLE_PROCESS: JobPosition = { rank: 0, ranks: 1 };
