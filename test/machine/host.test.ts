import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inspectHost, memoryLimit, parsePageBytes } from '../../src/machine/host.js';
import { GIB, MIB } from '../../src/text/units.js';
import { testOnLinux } from '../support/linux.js';

/** The kernel's pairs of type and value, as in /proc/self/auxv. */
function auxv(...words: readonly (number | bigint)[]): Buffer {
  return Buffer.from(BigUint64Array.from(words.map(BigInt)).buffer);
}

const LINUX = { platform: 'linux', arch: 'x64' } as const;

test.each([4096, 16_384, 65_536])('a page size of %i bytes is found at any position', (bytes) => {
  expect(parsePageBytes(auxv(33, 0x7ffe_0000_0000, 16, 0xffff, 6, bytes, 17, 100, 0, 0), LINUX)).toBe(bytes);
  expect(parsePageBytes(auxv(6, bytes, 0, 0), LINUX)).toBe(bytes);
});

test('a value that equals the type of the page size is ignored', () => {
  expect(parsePageBytes(auxv(17, 6, 6, 16_384, 0, 0), LINUX)).toBe(16_384);
});

test('an unknown page size defaults to 4096 bytes', () => {
  expect(parsePageBytes(Buffer.of(), LINUX)).toBe(4096);
  expect(parsePageBytes(auxv(17, 100, 0, 0), LINUX)).toBe(4096);
});

test("on a Mac with Apple's CPUs, an unknown page size defaults to 16384 bytes", () => {
  expect(parsePageBytes(Buffer.of(), { platform: 'darwin', arch: 'arm64' })).toBe(16_384);
  expect(parsePageBytes(Buffer.of(), { platform: 'darwin', arch: 'x64' })).toBe(4096);
});

test('on a 32-bit system with shorter words, the page size is 4096 bytes', () => {
  expect(parsePageBytes(Buffer.from(Uint32Array.of(16, 0xffff, 6, 4096, 17, 100, 0, 0).buffer), LINUX)).toBe(
    4096,
  );
});

test('an incomplete entry at the end is ignored', () => {
  expect(parsePageBytes(Buffer.concat([auxv(6, 16_384), Buffer.of(6, 0, 0)]), LINUX)).toBe(16_384);
});

testOnLinux("the host's page size equals the output of getconf", async () => {
  const expected = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));
  expect(parsePageBytes(readFileSync('/proc/self/auxv'), LINUX)).toBe(expected);
  expect((await inspectHost()).pageBytes).toBe(expected);
});

test.each([
  ['none', undefined],
  ['0, as on a kernel without cgroups', 0],
  ['the huge number that cgroup v1 has without a limit', 2 ** 63 - 4096],
  ['one byte more than the memory', 16 * GIB + 1],
])('a memory limit of %s has no effect', (_, limit) => {
  expect(memoryLimit(16 * GIB, limit)).toBe(16 * GIB);
});

test("a container's memory limit counts if it is lower than the RAM", () => {
  expect(memoryLimit(16 * GIB, 512 * MIB)).toBe(512 * MIB);
});
