import type { SliceFile } from '../files/slice-file.js';

/** A call for a part of a file. */
export interface Request {
  /** Distinguishes the requests in flight: below the depth. */
  readonly slot: number;
  call: 'read' | 'write' | 'fsync' | 'fdatasync';
  file: SliceFile;
  positionBytes: number;
  /** What to read or write, in the I/O memory of the run. It must not change while the request is in flight. */
  memory: Uint8Array;
  /** How much of it a short transfer has moved. */
  doneBytes: number;
}

/** How a worker makes its requests. The phases do not know which engine runs. */
export interface Engine<Type extends Request> {
  /** Starts a request. */
  submit(request: Type): void;
  /** Waits until one or more requests have completed. Stores them and returns their number. Throws if one has failed. */
  complete(completed: Type[]): number;
  /** Waits for the requests in flight, because the kernel still uses their memory. */
  close(): void;
}
