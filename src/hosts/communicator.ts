/** Exchanges texts between ranks, numbered from 0. */
export interface Communicator {
  readonly rank: number;
  readonly size: number;
  /** True if `get` returns a text that a rank has put since the last barrier. */
  readonly hasImmediateGet: boolean;
  /** Publishes a text, which all ranks can get after the next barrier. No rank uses a name twice. */
  put(name: string, text: string): Promise<void>;
  /** Returns a text that the rank has put. Throws if it is missing, or was corrupted in transit. */
  get(rank: number, name: string): Promise<string>;
  /** Resolves when all ranks have reached the barrier. Rejects with the signal's reason. */
  barrier(signal: AbortSignal): Promise<void>;
  /** The other ranks no longer wait for this process. Call it once. */
  leave(): Promise<void>;
  /** Kills all ranks, if the launcher supports that. */
  abort(exitCode: number): Promise<void>;
}
