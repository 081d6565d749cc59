import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { DataError, findFirstDifference, readAll, writeAll } from '../../../workers/files/read-write.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';

/** Opens a file with this many bytes: 0, 1, 2 … 255, 0, … */
function openFile(length: number): { readonly fd: number; readonly file: string } {
  const file = path.join(makeDirectory(), 'data');
  writeFileSync(file, makeBytes(length));
  const fd = openSync(file, 'r+');
  onTestFinished(() => closeSync(fd));
  return { fd, file };
}

function makeBytes(length: number, from = 0): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => from + index);
}

test('a write changes only the bytes at its position', () => {
  const { fd, file } = openFile(1000);
  writeAll(fd, new Uint8Array(100).fill(7), 300);
  const bytes = readFileSync(file);
  expect(bytes.length).toBe(1000);
  expect(bytes.subarray(300, 400).every((byte) => byte === 7)).toBe(true);
  expect(Buffer.compare(bytes.subarray(0, 300), makeBytes(300))).toBe(0);
  expect(Buffer.compare(bytes.subarray(400), makeBytes(600, 400))).toBe(0);
});

test('a read fills the whole buffer from a position', () => {
  const bytes = new Uint8Array(200);
  readAll(openFile(1000).fd, bytes, 300);
  expect(bytes).toEqual(makeBytes(200, 300));
});

test.each([
  ['in the middle of a read', 900, 200, 1000],
  ['at the start of a read', 1000, 1, 1000],
])('a file that ends %s throws an error with the offset of its end', (_, position, length, end) => {
  const { fd } = openFile(1000);
  expect(() => readAll(fd, new Uint8Array(length), position)).toThrow(
    expect.objectContaining({ constructor: DataError, code: 'SHORT', positionBytes: end }),
  );
});

testOnLinux('a write to a full device throws an error with the code ENOSPC', () => {
  const fd = openSync('/dev/full', 'w');
  onTestFinished(() => closeSync(fd));
  expect(() => writeAll(fd, new Uint8Array(512), 0)).toThrow(expect.objectContaining({ code: 'ENOSPC' }));
});

test('writeAll() continues after a short write and throws the error of the next write', () => {
  const file = path.join(makeDirectory(), 'data');
  const module = fileURLToPath(new URL('../../../dist/workers/files/read-write.js', import.meta.url));
  const script = `
    import(${JSON.stringify(module)}).then(({ writeAll }) => {
      try {
        writeAll(fs.openSync(${JSON.stringify(file)}, 'w'), new Uint8Array(1_000_000), 0);
      } catch (error) {
        console.log(error.code);
      }
    });`;
  // The limit on the file size shortens the first write, and only the second write fails.
  const limited = ['-c', 'ulimit -f 16 && exec "$0" --eval "$1"', process.execPath, script];
  expect(execFileSync('sh', limited, { encoding: 'utf8' })).toBe('EFBIG\n');
  expect(statSync(file).size).toBeGreaterThan(0);
  expect(statSync(file).size).toBeLessThan(1_000_000);
});

test('findFirstDifference() returns the index of the first different byte, or -1', () => {
  const expected = makeBytes(1000);
  expect(findFirstDifference(new Uint8Array(new SharedArrayBuffer(8)), new Uint8Array(8))).toBe(-1);
  for (const at of [0, 500, 999]) {
    const actual = makeBytes(1000);
    for (const wrong of [at, 999]) actual[wrong] = ~(expected[wrong] ?? 0);
    expect(findFirstDifference(actual, expected)).toBe(at);
  }
});
