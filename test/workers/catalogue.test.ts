import { expect, test } from 'vitest';
import { phaseNamed, phases } from '../../workers/phases/catalogue.js';

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
    order: expect.stringMatching(/^(sequential|random)$/),
    coldCache: expect.any(Boolean),
    durable: expect.any(Boolean),
    prepare: expect.any(Function),
  });
});

test('phases that read start with a cold cache', () => {
  expect(phases.filter(({ coldCache }) => coldCache).map(({ name }) => name)).toEqual(['read', 'iops']);
});

test('what was written in sequence is put on the device, for a durable rate', () => {
  expect(phases.filter(({ durable }) => durable).map(({ name }) => name)).toEqual(['write']);
});
