import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { dataFileName } from '../plan/files.js';

const STAT_BLOCK_BYTES = 512;

export function dataFilePaths(root: string, files: number): readonly string[] {
  return Array.from({ length: files }, (_, index) => path.join(root, dataFileName(index)));
}

/** Returns the space that the existing files take, in bytes. */
export async function allocatedBytes(files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) bytes += ((await lstat(file).catch(() => null))?.blocks ?? 0) * STAT_BLOCK_BYTES;
  return bytes;
}
