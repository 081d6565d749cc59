import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { GobonnieError } from '../../errors.js';
import { systemReason } from '../../system-error.js';
import { shown } from '../../text/escape.js';

/** So much of it is enough to tell files apart. */
const MOST_BYTES = 1024 ** 2;
/** As many bits as a whole number has. */
const SEED_BYTES = 6;

/** A seed that follows from what a file holds: the same file, the same random numbers. */
export function seedOfFile(file: string): number {
  try {
    const fd = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(MOST_BYTES);
      const length = readSync(fd, bytes);
      if (length === 0)
        throw new GobonnieError(
          'option-invalid',
          `-Z ${shown(file)} is empty`,
          'name a file that holds random bytes',
        );
      return createHash('sha256').update(bytes.subarray(0, length)).digest().readUIntBE(0, SEED_BYTES);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (error instanceof GobonnieError) throw error;
    throw new GobonnieError(
      'option-invalid',
      `-Z ${shown(file)} cannot be read: ${systemReason(error)}`,
      'name a file that holds random bytes',
    );
  }
}
