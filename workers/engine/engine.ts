import { fdatasyncSync, fsyncSync } from 'node:fs';
import { readAll, writeAll } from '../files/read-write.js';
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

/** The operations of a phase. An operation is one request, or several, one after the other in the same object. */
export interface RequestSource<Type extends Request> {
  /** Turns a request that is not in flight into the first one of an operation. Returns false if no operation is left. */
  next(request: Type): boolean;
  /**
   * Receives a request that has completed, at `endNs` if the engine has read the clock. Returns true if the operation
   * has ended. Otherwise the request is the next one of the operation.
   */
  advance(request: Type, endNs?: number): boolean;
}

/** How a worker makes its requests. The phases do not know which engine runs. */
export interface Engine<Type extends Request> {
  /** Makes all requests of a source. Throws the first failure in the file. */
  run(source: RequestSource<Type>): void;
  /** Waits for the requests in flight, because the kernel still uses their memory. */
  close(): void;
}

/** Makes each request with a blocking call: a thread has one request in flight. */
export class ThreadsEngine<Type extends Request> implements Engine<Type> {
  readonly #request: Type;

  constructor(request: Type) {
    this.#request = request;
  }

  run(source: RequestSource<Type>): void {
    const request = this.#request;
    while (source.next(request)) {
      do makeCall(request);
      while (!source.advance(request));
    }
  }

  close(): void {}
}

export function makeCall({ call, file, memory, positionBytes }: Request): void {
  if (call === 'read') readAll(file.fd, memory, positionBytes);
  else if (call === 'write') writeAll(file.fd, memory, positionBytes);
  else if (call === 'fsync') fsyncSync(file.fd);
  else fdatasyncSync(file.fd);
}
