import { readAll, writeAll } from './files/read-write.js';
import type { PhaseContext } from './phases/phase.js';
import { mayContinue, OPERATIONS, READ_BYTES, WRITTEN_BYTES } from './protocol.js';

/** Counts and times a worker's operations on many files, and counts their bytes. */
export class Operations {
  readonly context: PhaseContext;
  /** The file or directory of the last operation. */
  current = '';
  #startNs = 0;

  constructor(context: PhaseContext) {
    this.context = context;
  }

  mayContinue(): boolean {
    const { flags, progress } = this.context;
    return mayContinue(flags, progress[OPERATIONS] ?? 0);
  }

  begin(path: string): void {
    this.current = path;
    this.#startNs = this.context.latency.begin();
  }

  end(): void {
    this.context.latency.end(this.#startNs);
    this.add(OPERATIONS, 1);
  }

  read(fd: number, bytes: Uint8Array, position: number): void {
    readAll(fd, bytes, position);
    this.add(READ_BYTES, bytes.length);
  }

  write(fd: number, bytes: Uint8Array, position: number): void {
    writeAll(fd, bytes, position);
    this.add(WRITTEN_BYTES, bytes.length);
  }

  /** Adds to a word of the progress. */
  add(word: number, amount: number): void {
    const { progress } = this.context;
    progress[word] = (progress[word] ?? 0) + amount;
  }
}
