import { execFileSync } from 'node:child_process';
import { randomFillSync } from 'node:crypto';
import { chmodSync, closeSync, openSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';

/** Creates a file of random bytes that everyone may read, in a temporary directory by default. */
export function makeFile(sizeBytes: number, directory: string = makeDirectory(os.tmpdir())): string {
  chmodSync(directory, 0o755);
  const file = path.join(directory, 'data');
  const fd = openSync(file, 'wx', 0o644);
  const bytes = randomFillSync(new Uint8Array(MIB));
  for (let position = 0; position < sizeBytes; position += MIB)
    writeSync(fd, bytes, 0, Math.min(MIB, sizeBytes - position), position);
  closeSync(fd);
  return file;
}

/** Creates a sparse file of this size. */
export function makeSparseFile(sizeBytes: number): string {
  const file = path.join(makeDirectory(os.tmpdir()), 'hole');
  writeFileSync(file, '');
  truncateSync(file, sizeBytes);
  return file;
}

/** Attaches the file to a read-only loop device until the end of the test. */
export function attachReadOnlyLoop(file: string): string {
  const attach = ['--find', '--show', '--read-only', file];
  const device = execFileSync('losetup', attach, { encoding: 'utf8' }).trim();
  onTestFinished(() => {
    execFileSync('losetup', ['--detach', device]);
  });
  return device;
}
