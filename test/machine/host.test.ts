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

const MAC = { platform: 'darwin', arch: 'arm64' } as const;
const SHORT_WORDS = Buffer.from(Uint32Array.of(16, 0xffff, 6, 4096, 17, 100, 0, 0).buffer);

test.each([
  ['at any position', auxv(33, 0x7ffe_0000_0000, 16, 0xffff, 6, 16_384, 17, 100, 0, 0), LINUX, 16_384],
  ['behind a value that equals its type', auxv(17, 6, 6, 16_384, 0, 0), LINUX, 16_384],
  ['before an incomplete entry', Buffer.concat([auxv(6, 16_384), Buffer.of(6, 0, 0)]), LINUX, 16_384],
  ['by default, if it is missing', auxv(17, 100, 0, 0), LINUX, 4096],
  ['by default on a 32-bit system', SHORT_WORDS, LINUX, 4096],
  ["by default on a Mac with Apple's CPUs", Buffer.of(), MAC, 16_384],
  ["by default on a Mac with Intel's CPUs", Buffer.of(), { ...MAC, arch: 'x64' }, 4096],
])('the page size is found %s', (_, vector, host, bytes) => {
  expect(parsePageBytes(vector, host)).toBe(bytes);
});

testOnLinux("the host's page size equals the output of getconf", async () => {
  const expected = Number(execFileSync('getconf', ['PAGESIZE'], { encoding: 'utf8' }));
  expect(parsePageBytes(readFileSync('/proc/self/auxv'), LINUX)).toBe(expected);
  expect((await inspectHost()).pageBytes).toBe(expected);
});

test.each([
  ['0, as on a kernel without cgroups', 0],
  ['the huge number that cgroup v1 has without a limit', 2 ** 63 - 4096],
  ['one byte more than the memory', 16 * GIB + 1],
])('a memory limit of %s has no effect', (_, limit) => {
  expect(memoryLimit(16 * GIB, limit)).toBe(16 * GIB);
});

test("a container's memory limit counts if it is lower than the RAM", () => {
  expect(memoryLimit(16 * GIB, 512 * MIB)).toBe(512 * MIB);
});
