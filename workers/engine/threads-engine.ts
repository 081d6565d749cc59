import { fdatasyncSync, fsyncSync } from 'node:fs';
import { readAll, writeAll } from '../files/read-write.js';
import type { Engine, Request, RequestSource } from './engine.js';

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

function makeCall({ call, file, memory, positionBytes }: Request): void {
  if (call === 'read') readAll(file.fd, memory, positionBytes);
  else if (call === 'write') writeAll(file.fd, memory, positionBytes);
  else if (call === 'fsync') fsyncSync(file.fd);
  else fdatasyncSync(file.fd);
}
