import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** The default block size. */
export const BLOCK_BYTES = 65_536;

/** The block of a file at this index. */
export function blockOf(file: string, block: number): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES);
  const fd = openSync(file, 'r');
  try {
    readSync(fd, bytes, 0, BLOCK_BYTES, block * BLOCK_BYTES);
    return bytes;
  } finally {
    closeSync(fd);
  }
}

export function overwrite(file: string, bytes: Uint8Array, position: number): void {
  const fd = openSync(file, 'r+');
  try {
    writeSync(fd, bytes, 0, bytes.length, position);
  } finally {
    closeSync(fd);
  }
}

/** Swaps two blocks. */
export function exchange(file: string, first: number, second: number): void {
  const [one, other] = [blockOf(file, first), blockOf(file, second)];
  overwrite(file, one, second * BLOCK_BYTES);
  overwrite(file, other, first * BLOCK_BYTES);
}
