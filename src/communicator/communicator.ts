/** Processes that begin each phase together. */
export interface ProcessGroup {
  /** Resolves when all have come to this phase; rejects with the signal's reason. */
  barrier(phase: string, signal: AbortSignal): Promise<void>;
  /** The other ranks no longer wait for this process. */
  leave(): Promise<void>;
}

/** Exchanges texts between ranks, which are numbered starting at 0. */
export interface Communicator extends ProcessGroup {
  readonly rank: number;
  readonly size: number;
  /** A name that no other job has. Null if the launcher provides no name. */
  readonly id: string | null;
  /** True if a rank's text can be read before all ranks reach a barrier. */
  readonly hasImmediateGet: boolean;
  /** Gives all ranks a text, which they can take after the next wait. No rank uses a name twice. */
  put(name: string, text: string): Promise<void>;
  /** What a rank has given. Throws if it has given nothing, or if the text was damaged on its way. */
  get(rank: number, name: string): Promise<string>;
  /** Ends all processes of the meeting, as far as its launcher does that. */
  abort(exitCode: number): Promise<void>;
}
