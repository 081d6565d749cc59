import { readSync } from 'node:fs';
import type { PhaseContext } from '../phases/phase.js';
import { type ByteMode, isStopped, POSITION } from '../protocol.js';
import { DataError, writeAll } from './read-write.js';

/** The size of C stdio's buffer on common filesystems. */
const BUFFER_BYTES = 4096;

export interface ByteStreamSetup extends Pick<PhaseContext, 'progress' | 'latency' | 'flags' | 'lock'> {
  readonly fd: number;
  readonly positionBytes: number;
  /** `locked` takes and releases the lock for each byte; `syscall` makes a system call for each byte, as in bonnie++ 2.00. */
  readonly byteMode: ByteMode;
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

/**
 * Like stdio's putc: fills a buffer and writes it when it is full. With a lock it checks the buffer for every byte,
 * because another thread might have used it; without a lock the loop can run to the end of the buffer.
 */
export function outputStream({ fd, positionBytes, byteMode, ...setup }: ByteStreamSetup) {
  const { progress, latency, flags } = setup;
  const lock = byteMode === 'locked' ? setup.lock : null;
  const bufferBytes = byteMode === 'syscall' ? 1 : BUFFER_BYTES;
  const buffer = new Uint8Array(bufferBytes);
  let filled = 0;
  let position = positionBytes;

  function flush(length: number): void {
    progress[POSITION] = position;
    const startNs = latency.begin();
    writeAll(fd, length === bufferBytes ? buffer : buffer.subarray(0, length), position);
    latency.end(startNs);
    position += length;
  }

  function move(block: Uint8Array): void {
    let at = 0;
    let into = filled;
    let isOver = false;
    while (at < block.length && !isOver) {
      if (lock) acquire(lock);
      const stop = lock ? at + 1 : Math.min(block.length, at + bufferBytes - into);
      // In bounds; testing for undefined would cost as much as the rest of the loop.
      while (at < stop) buffer[into++] = block[at++] as number;
      if (into === bufferBytes) {
        flush(into);
        into = 0;
        isOver = isStopped(flags);
      }
      if (lock) release(lock);
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

/** Like stdio's getc: reads from a buffer, and fills it when it is empty. */
export function inputStream({ fd, positionBytes, byteMode, ...setup }: ByteStreamSetup) {
  const { progress, latency, flags } = setup;
  const lock = byteMode === 'locked' ? setup.lock : null;
  const buffer = new Uint8Array(byteMode === 'syscall' ? 1 : BUFFER_BYTES);
  let next = 0;
  let filled = 0;
  let position = positionBytes;

  function fill(): number {
    progress[POSITION] = position;
    const startNs = latency.begin();
    const bytesRead = readSync(fd, buffer, 0, buffer.length, position);
    latency.end(startNs);
    if (bytesRead === 0) throw new DataError('SHORT', position);
    position += bytesRead;
    return bytesRead;
  }

  function move(block: Uint8Array): void {
    let at = 0;
    let from = next;
    let end = filled;
    let isOver = false;
    while (at < block.length && !isOver) {
      if (lock) acquire(lock);
      if (from === end) {
        end = fill();
        from = 0;
        isOver = isStopped(flags);
      }
      const stop = lock ? at + 1 : Math.min(block.length, at + end - from);
      while (at < stop) block[at++] = buffer[from++] as number;
      if (lock) release(lock);
    }
    next = from;
    filled = end;
  }

  return { move };
}
