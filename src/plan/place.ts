/** Which of the processes of a job a plan is for. */
export interface Place {
  readonly rank: number;
  readonly ranks: number;
}

/** For a run of one process. */
export const ALONE: Place = { rank: 0, ranks: 1 };
