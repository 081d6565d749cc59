import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inspectHost, parsePageBytes } from '../../src/machine/host.js';
import { testOnLinux } from '../support/linux.js';

/** The kernel's pairs of kind and value, as in /proc/self/auxv. */
function auxv(...words: readonly (number | bigint)[]): Buffer {
  return Buffer.from(BigUint64Array.from(words.map(BigInt)).buffer);
}

test.each([4096, 16_384, 65_536])('a page size of %i bytes is found wherever it is', (bytes) => {
  expect(parsePageBytes(auxv(33, 0x7ffe_0000_0000, 16, 0xffff, 6, bytes, 17, 100, 0, 0))).toBe(bytes);
  expect(parsePageBytes(auxv(6, bytes, 0, 0))).toBe(bytes);
});

test('a value that looks like the kind is not taken for it', () => {
  expect(parsePageBytes(auxv(17, 6, 6, 16_384, 0, 0))).toBe(16_384);
});

test('an unknown page size is that of nearly every system', () => {
  expect(parsePageBytes(Buffer.of())).toBe(4096);
  expect(parsePageBytes(auxv(17, 100, 0, 0))).toBe(4096);
});

test('the shorter words of a 32-bit system are read correctly', () => {
  expect(parsePageBytes(Buffer.from(Uint32Array.of(16, 0xffff, 6, 4096, 17, 100, 0, 0).buffer))).toBe(4096);
});

test('an incomplete entry at the end is ignored', () => {
  expect(parsePageBytes(Buffer.concat([auxv(6, 16_384), Buffer.of(6, 0, 0)]))).toBe(16_384);
});

testOnLinux("the host's page is that of the system", async () => {
  const told = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));
  expect(parsePageBytes(readFileSync('/proc/self/auxv'))).toBe(told);
  expect((await inspectHost()).pageBytes).toBe(told);
});
