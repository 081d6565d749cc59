/** Which of the processes of a job a plan is for. */
export interface Place {
  readonly member: number;
  readonly members: number;
}

/** For a run of one process. */
export const ALONE: Place = { member: 0, members: 1 };
