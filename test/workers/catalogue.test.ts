import { constants } from 'node:fs';
import { expect, test } from 'vitest';
import { phaseNamed, phases } from '../../workers/phases/catalogue.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = constants;
const ACCESS = O_RDONLY | O_WRONLY | O_RDWR;

test('no two phases share a name or a title', () => {
  expect(new Set(phases.map(({ name }) => name)).size).toBe(phases.length);
  expect(new Set(phases.map(({ title }) => title)).size).toBe(phases.length);
});

test.each(phases)('$name is found by its name', (phase) => {
  expect(phaseNamed(phase.name)).toBe(phase);
});

test('a name that is not there is a bug', () => {
  expect(() => phaseNamed('write2')).toThrow('no phase is called write2');
});

test.each(phases)('$name has all that plan, run and report need to know', (phase) => {
  expect(phase).toEqual({
    name: expect.stringMatching(/^[a-z][a-z-]*$/),
    title: expect.stringMatching(/^\S.*\S$/),
    done: expect.stringMatching(/^\S.*\S$/),
    figure: expect.stringMatching(/^(bytes|operations)$/),
    ends: expect.stringMatching(/^(slice|duration)$/),
    coldCache: expect.any(Boolean),
    openFlags: expect.any(Number),
    work: expect.any(Function),
  });
});

test.each(phases)('$name follows no link and empties no file', ({ openFlags }) => {
  expect(openFlags & O_NOFOLLOW).toBe(O_NOFOLLOW);
  expect(openFlags & O_TRUNC).toBe(0);
});

test('a phase that makes its file makes a new one, and the first phase does', () => {
  const making = phases.filter(({ openFlags }) => openFlags & O_CREAT);
  expect(making.filter(({ openFlags }) => !(openFlags & O_EXCL))).toEqual([]);
  expect(making).toContain(phases[0]);
});

test.each([
  ['write', O_WRONLY],
  ['read', O_RDONLY],
  ['iops', O_RDWR],
])('%s opens its file for what it does, and no more', (name, access) => {
  expect(phaseNamed(name).openFlags & ACCESS).toBe(access);
});

test('phases that read start with a cold cache', () => {
  const reading = phases.filter(({ openFlags }) => (openFlags & ACCESS) !== O_WRONLY);
  expect(reading.map(({ name, coldCache }) => [name, coldCache])).toEqual([
    ['read', true],
    ['iops', true],
  ]);
});
