import { constants, lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sliceJob } from '../../workers/slice-file.js';
import { makeDirectory } from '../directory.js';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

function sliceIn(directory: string) {
  return { file: path.join(directory, 'bonnie.0'), offsetBytes: 0, lengthBytes: 4096 };
}

test('a file that is made is its owner’s alone', () => {
  const slice = sliceIn(makeDirectory());
  sliceJob(slice, CREATE, () => {}).close();
  expect(lstatSync(slice.file).mode & 0o777).toBe(0o600);
});

test('a link in the place of the file is refused, to be written through as to be read through', () => {
  const directory = makeDirectory();
  const slice = sliceIn(directory);
  const victim = path.join(directory, 'victim');
  writeFileSync(victim, 'mine');
  symlinkSync(victim, slice.file);
  for (const flags of [CREATE, constants.O_WRONLY, constants.O_RDWR, constants.O_RDONLY]) {
    expect(() => sliceJob(slice, flags, () => {})).toThrow(/EEXIST|ELOOP/);
  }
  expect(readFileSync(victim, 'utf8')).toBe('mine');
});

test('the work gets the open file, and the file is closed afterwards', () => {
  const slice = sliceIn(makeDirectory());
  const fds: number[] = [];
  const job = sliceJob(slice, CREATE, (fd) => fds.push(fd));
  job.work();
  job.close();
  expect(fds).toHaveLength(1);
  expect(() => job.close()).toThrow('EBADF');
});
