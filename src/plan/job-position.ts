/** Which of the processes of a job a plan is for. */
export interface JobPosition {
  readonly rank: number;
  readonly ranks: number;
}

/** For a run of one process. */
export const SINGLE_PROCESS: JobPosition = { rank: 0, ranks: 1 };
