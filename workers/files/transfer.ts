import { readSync, writeSync } from 'node:fs';

/** The data read is not what was written, at a position that may be inside the operation. */
export class DataError extends Error {
  readonly code: 'CORRUPT' | 'SHORT';
  readonly positionBytes: number;

  constructor(code: 'CORRUPT' | 'SHORT', positionBytes: number, message: string) {
    super(message);
    this.code = code;
    this.positionBytes = positionBytes;
  }
}

/** Writes all of `bytes` at `position`. */
export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  const written = writeSync(fd, bytes, 0, bytes.length, position);
  if (written !== bytes.length) writeRest(fd, bytes, position, written);
}

/** After a short write, writing the rest gives the error. */
function writeRest(fd: number, bytes: Uint8Array, position: number, written: number): void {
  let done = written;
  while (done < bytes.length) {
    const more = writeSync(fd, bytes, done, bytes.length - done, position + done);
    if (more === 0)
      throw new DataError('SHORT', position + done, 'the system wrote nothing and gave no reason');
    done += more;
  }
}

/** Fills `bytes` from `position`; our files never end before that. */
export function readAll(fd: number, bytes: Uint8Array, position: number): void {
  const got = readSync(fd, bytes, 0, bytes.length, position);
  if (got !== bytes.length) readRest(fd, bytes, position, got);
}

function readRest(fd: number, bytes: Uint8Array, position: number, got: number): void {
  let done = got;
  while (done < bytes.length) {
    const more = readSync(fd, bytes, done, bytes.length - done, position + done);
    if (more === 0)
      throw new DataError('SHORT', position + done, 'the file ends before the data that was written');
    done += more;
  }
}

/** Throws if `got` is not what was written there. */
export function compareBytes(got: Uint8Array, wanted: Uint8Array, position: number): void {
  if (Buffer.compare(got, wanted) === 0) return;
  const at = got.findIndex((byte, index) => byte !== wanted[index]);
  throw new DataError('CORRUPT', position + at, 'what was read is not what was written');
}
