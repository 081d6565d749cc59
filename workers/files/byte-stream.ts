import { readSync } from 'node:fs';
import type { PhaseContext } from '../phases/phase.js';
import { isStopped, POSITION } from '../protocol.js';
import { DataError, writeAll } from './read-write.js';

/** The size of C stdio's buffer on common filesystems. */
const BUFFER_BYTES = 4096;

export interface ByteStreamSetup extends Pick<PhaseContext, 'progress' | 'latency' | 'flags' | 'lock'> {
  readonly fd: number;
  readonly positionBytes: number;
}

const FREE = 0;
const LOCKED = 1;

/** Costs as much as stdio's lock, two atomic operations. No other thread takes the lock, so nothing waits. */
function acquire(lock: Int32Array): void {
  Atomics.compareExchange(lock, 0, FREE, LOCKED);
}

function release(lock: Int32Array): void {
  Atomics.exchange(lock, 0, FREE);
}

/** Like stdio's putc: takes the lock for each byte, and writes the buffer when it is full. */
export function outputStream({ fd, positionBytes, progress, latency, flags, lock }: ByteStreamSetup) {
  const buffer = new Uint8Array(BUFFER_BYTES);
  let filled = 0;
  let position = positionBytes;

  function flush(length: number): void {
    progress[POSITION] = position;
    const startNs = latency.begin();
    writeAll(fd, length === BUFFER_BYTES ? buffer : buffer.subarray(0, length), position);
    latency.end(startNs);
    position += length;
  }

  function move(block: Uint8Array): void {
    let into = filled;
    let isOver = false;
    for (let at = 0; at < block.length && !isOver; at++) {
      acquire(lock);
      // In bounds; testing for undefined would cost as much as the rest of the loop.
      buffer[into++] = block[at] as number;
      if (into === BUFFER_BYTES) {
        flush(into);
        into = 0;
        isOver = isStopped(flags);
      }
      release(lock);
    }
    filled = into;
  }

  return {
    move,
    /** Writes the rest of the buffer. */
    end() {
      if (filled > 0) flush(filled);
    },
  };
}

/** Like stdio's getc: takes the lock for each byte, and fills the buffer when it is empty. */
export function inputStream({ fd, positionBytes, progress, latency, flags, lock }: ByteStreamSetup) {
  const buffer = new Uint8Array(BUFFER_BYTES);
  let next = 0;
  let filled = 0;
  let position = positionBytes;

  function fill(): number {
    progress[POSITION] = position;
    const startNs = latency.begin();
    const bytesRead = readSync(fd, buffer, 0, BUFFER_BYTES, position);
    latency.end(startNs);
    if (bytesRead === 0) throw new DataError('SHORT', position);
    position += bytesRead;
    return bytesRead;
  }

  function move(block: Uint8Array): void {
    let from = next;
    let end = filled;
    let isOver = false;
    for (let at = 0; at < block.length && !isOver; at++) {
      acquire(lock);
      if (from === end) {
        end = fill();
        from = 0;
        isOver = isStopped(flags);
      }
      block[at] = buffer[from++] as number;
      release(lock);
    }
    next = from;
    filled = end;
  }

  return { move };
}
