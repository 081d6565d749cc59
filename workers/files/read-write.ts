import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';

const MESSAGES = {
  CORRUPT: 'data mismatch: the data read back differs from what was written',
  SHORT: 'the file is shorter than the data that was written',
  UNWRITTEN: 'the write call wrote 0 bytes without an error',
} as const;

/** A place in the data, as a stamp has it. */
export interface DataOrigin {
  readonly run: number;
  readonly fileIndex: number;
  readonly offsetBytes: number;
}

/**
 * The finding instead of data: the origin of misplaced data, a sector without a valid stamp, or only sectors without a stamp
 * from here to the end. Null if the stamp is intact, or if it is unknown.
 */
export type Damage = DataOrigin | 'no-stamp' | 'rest-lost' | null;

/** Wrong or missing data, at a position that may be inside the operation. */
export class DataError extends Error {
  readonly code: keyof typeof MESSAGES;
  readonly positionBytes: number;
  /** Undefined if it is the file in the worker's progress. */
  readonly path: string | undefined;
  readonly damage: Damage;

  constructor(code: keyof typeof MESSAGES, positionBytes: number, path?: string, damage: Damage = null) {
    super(typeof damage === 'object' && damage ? describeOrigin(damage) : MESSAGES[code]);
    this.code = code;
    this.positionBytes = positionBytes;
    this.path = path;
    this.damage = damage;
  }
}

function describeOrigin({ offsetBytes, fileIndex, run }: DataOrigin): string {
  return `its sector has the stamp of offset ${offsetBytes} of data file ${fileIndex} in run ${run}`;
}

export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  let done = writeSync(fd, bytes, 0, bytes.length, position);
  // Write the rest after a short write, because only that reveals the error.
  while (done < bytes.length) {
    const more = writeSync(fd, bytes, done, bytes.length - done, position + done);
    if (more === 0) throw new DataError('UNWRITTEN', position + done);
    done += more;
  }
}

/** Fills `bytes` from `position`. Throws a DataError if the file ends too early: gobonnie's own files never do. */
export function readAll(fd: number, bytes: Uint8Array, position: number): void {
  let done = readSync(fd, bytes, 0, bytes.length, position);
  while (done < bytes.length) {
    const more = readSync(fd, bytes, done, bytes.length - done, position + done);
    if (more === 0) throw new DataError('SHORT', position + done);
    done += more;
  }
}

/** Calls `move` for each piece of a file: a buffer, or the start of it for the last piece. */
export function moveFile(
  lengthBytes: number,
  buffer: Uint8Array,
  move: (piece: Uint8Array, position: number) => void,
): void {
  for (let position = 0; position < lengthBytes; position += buffer.length)
    move(buffer.subarray(0, lengthBytes - position), position);
}

/** Not possible on Windows: see `canSyncDirectories`. */
export function syncDirectory(directory: string, sync: (fd: number) => void): void {
  const fd = openSync(directory, constants.O_RDONLY);
  sync(fd);
  closeSync(fd);
}

/** Returns the index of the first different byte, or -1. */
export function findFirstDifference(actual: Uint8Array, expected: Uint8Array): number {
  if (Buffer.compare(actual, expected) === 0) return -1;
  return actual.findIndex((byte, index) => byte !== expected[index]);
}

/** Windows cannot remove or replace a file that another program, such as a virus scanner, has open. */
const BUSY_CODES = process.platform === 'win32' ? ['EBUSY', 'EPERM', 'EACCES', 'ENOTEMPTY'] : [];
/** Long enough, because other programs open the file only briefly. */
export const RETRY_FOR_MS = 2000;
export const RETRY_INTERVAL_MS = 20;

const NEVER_WOKEN = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

export function isFileBusy(error: unknown): boolean {
  return BUSY_CODES.includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Retries for a while if another program has the file open. */
export function retryWhileBusySync<Result>(act: () => Result): Result {
  // Removals are timed, so the clock is read only after a failure.
  let end: number | undefined;
  while (true) {
    try {
      return act();
    } catch (error) {
      end ??= performance.now() + RETRY_FOR_MS;
      if (performance.now() > end || !isFileBusy(error)) throw error;
      Atomics.wait(NEVER_WOKEN, 0, 0, RETRY_INTERVAL_MS);
    }
  }
}
