import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findFirstDifference } from '../../../workers/files/read-write.js';
import { makeDirectory } from '../../support/disks/directory.js';

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

function makeBytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => index);
}

test('findFirstDifference() returns the index of the first different byte, or -1', () => {
  const expected = makeBytes(1000);
  expect(findFirstDifference(new Uint8Array(new SharedArrayBuffer(8)), new Uint8Array(8))).toBe(-1);
  for (const at of [0, 500, 999]) {
    const actual = makeBytes(1000);
    for (const wrong of [at, 999]) actual[wrong] = ~(expected[wrong] ?? 0);
    expect(findFirstDifference(actual, expected)).toBe(at);
  }
});
