import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { GobonnieError } from '../../errors.js';
import { systemReason } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { optionError } from './flag-values.js';

/** Enough to distinguish files. */
const MAX_BYTES = 1024 ** 2;
/** 48 bits, which a JavaScript number holds exactly. */
const SEED_BYTES = 6;

/** Derives a seed from the content of a file: the same file produces the same random numbers. */
export function seedFromFile(file: string): number {
  try {
    const fd = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(MAX_BYTES);
      const length = readSync(fd, bytes);
      if (length === 0) throw randomFileError(file, 'is empty');
      return createHash('sha256').update(bytes.subarray(0, length)).digest().readUIntBE(0, SEED_BYTES);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (error instanceof GobonnieError) throw error;
    throw randomFileError(file, `cannot be read: ${systemReason(error)}`);
  }
}

function randomFileError(file: string, problem: string): GobonnieError {
  return optionError(`-Z ${display(file)} ${problem}`, 'pass a file of random bytes');
}
