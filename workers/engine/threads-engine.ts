import { fdatasyncSync, fsyncSync } from 'node:fs';
import { readAll, writeAll } from '../files/read-write.js';
import type { Engine, Request } from './engine.js';

/** Makes each request with a blocking call: a thread has one request in flight. */
export class ThreadsEngine<Type extends Request> implements Engine<Type> {
  #request: Type | null = null;

  submit(request: Type): void {
    const { call, memory, positionBytes } = request;
    const { fd } = request.file;
    if (call === 'read') readAll(fd, memory, positionBytes);
    else if (call === 'write') writeAll(fd, memory, positionBytes);
    else if (call === 'fsync') fsyncSync(fd);
    else fdatasyncSync(fd);
    this.#request = request;
  }

  complete(completed: Type[]): number {
    if (!this.#request) return 0;
    completed[0] = this.#request;
    return 1;
  }

  close(): void {}
}
