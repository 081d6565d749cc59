import { writeFileSync } from 'node:fs';
import { hasCode } from '../../../src/system-error.js';

const BLOCK = Buffer.alloc(64 * 1024);

/** Appends to the file until its filesystem is full. */
export function fillDisk(file: string): void {
  try {
    while (true) writeFileSync(file, BLOCK, { flag: 'a' });
  } catch (error) {
    if (!hasCode(error, 'ENOSPC')) throw error;
  }
}
