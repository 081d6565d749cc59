import { closeSync, constants, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { prepareFiles } from '../../../workers/files/slice-file.js';
import type { PhaseContext } from '../../../workers/phases/phase.js';
import { makeDirectory } from '../../support/disks/directory.js';

const BLOCK_BYTES = 4096;
const FLAGS = [constants.O_WRONLY, constants.O_RDWR, constants.O_RDONLY];

/** Returns the part of a worker's context that opening its files needs. Its file does not exist yet. */
function makeContext(directory: string): PhaseContext {
  const file = path.join(directory, 'bonnie.0');
  return {
    slices: [{ fileIndex: 0, file, offsetBytes: 0, lengthBytes: BLOCK_BYTES }],
    transfer: { direct: false, syncPerWrite: null },
    progress: new Float64Array(5),
  } as unknown as PhaseContext;
}

function firstFile({ slices: [slice] }: PhaseContext): string {
  if (!slice) throw new Error('there is no slice');
  return slice.file;
}

test('opening a slice does not create a missing file', () => {
  const context = makeContext(makeDirectory());
  for (const flags of FLAGS) expect(() => prepareFiles(context, flags, () => {})).toThrow('ENOENT');
  expect(existsSync(firstFile(context))).toBe(false);
});

test('opening a slice fails if a link is in place of the file, for writing and for reading', () => {
  const directory = makeDirectory();
  const context = makeContext(directory);
  const victim = path.join(directory, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, firstFile(context));
  for (const flags of FLAGS) expect(() => prepareFiles(context, flags, () => {})).toThrow('ELOOP');
  expect(readFileSync(victim, 'utf8')).toBe('mine');
});

test('the error names the file that cannot be closed', () => {
  const context = makeContext(makeDirectory());
  writeFileSync(firstFile(context), '');
  const job = prepareFiles(context, constants.O_WRONLY, ([file]) => closeSync(file?.fd ?? -1));
  job.run();
  expect(() => job.close()).toThrow(expect.objectContaining({ code: 'EBADF', path: firstFile(context) }));
});
