import { expect, test } from 'vitest';
import type { Dataset, Phase } from '../../../workers/phases/phase.js';
import { getPhase, phases } from '../../../workers/phases/phase-catalogue.js';

test('no two phases share a name or a title', () => {
  expect(new Set(phases.map(({ name }) => name)).size).toBe(phases.length);
  expect(new Set(phases.map(({ title }) => title)).size).toBe(phases.length);
});

test.each(phases)('getPhase() finds $name', (phase) => {
  expect(getPhase(phase.name)).toBe(phase);
});

test('getPhase() throws for an unknown name', () => {
  expect(() => getPhase('write2')).toThrow('no phase is called write2');
});

test.each(phases)('$name has all properties that plan, run and report need', (phase) => {
  expect(phase).toEqual({
    name: expect.stringMatching(/^[a-z][a-z-]*$/),
    title: expect.stringMatching(/^\S.*\S$/),
    amountLabel: expect.stringMatching(/^\S.*\S$/),
    primaryRate: expect.stringMatching(/^(bytes|operations)$/),
    dataset: expect.stringMatching(/^(data|tree|random-tree)$/),
    access: expect.stringMatching(/^(creates|uses|deletes)$/),
    ioUnit: expect.stringMatching(/^(blocks|random-blocks|bytes|files)$/),
    runBy: expect.stringMatching(/^(threads|seek-threads)$/),
    endCondition: expect.stringMatching(/^(work|duration)$/),
    order: expect.stringMatching(/^(sequential|random)$/),
    coldCache: expect.any(Boolean),
    durable: expect.any(Boolean),
    prepare: expect.any(Function),
  });
});

/** Returns the names of the phases that meet a condition, in the catalogue's order. */
function namesWhere(condition: (phase: Phase) => boolean): readonly string[] {
  return phases.filter(condition).map(({ name }) => name);
}

test("phases are in bonnie++'s order, with gobonniego's iops after the other phases that use data", () => {
  expect(namesWhere(() => true)).toEqual([
    'putc',
    'write',
    'rewrite',
    'getc',
    'read',
    'seeks',
    'iops',
    'create',
    'stat',
    'delete',
    'create-random',
    'stat-random',
    'delete-random',
  ]);
});

test('exactly the phases that read data start with a cold cache', () => {
  expect(namesWhere(({ coldCache }) => coldCache)).toEqual(['rewrite', 'getc', 'read', 'seeks', 'iops']);
});

test('only sequential writes have a durable rate', () => {
  expect(namesWhere(({ durable }) => durable)).toEqual(['putc', 'write', 'rewrite']);
});

test('only iops ends after a duration; the other phases end when their work is done', () => {
  expect(namesWhere(({ endCondition }) => endCondition === 'duration')).toEqual(['iops']);
});

test('only seeks runs on --seek-threads', () => {
  expect(namesWhere(({ runBy }) => runBy === 'seek-threads')).toEqual(['seeks']);
});

test.each<[Dataset, readonly string[], readonly string[], readonly string[]]>([
  ['data', ['putc', 'write'], ['rewrite', 'getc', 'read', 'seeks', 'iops'], []],
  ['tree', ['create'], ['stat'], ['delete']],
  ['random-tree', ['create-random'], ['stat-random'], ['delete-random']],
])('%s is created by %j, used by %j and deleted by %j', (dataset, creators, users, deleters) => {
  const namesWith = (access: Phase['access']) =>
    namesWhere((phase) => phase.dataset === dataset && phase.access === access);
  expect([namesWith('creates'), namesWith('uses'), namesWith('deletes')]).toEqual([
    creators,
    users,
    deleters,
  ]);
});

test.each<[Phase['ioUnit'], readonly string[]]>([
  ['bytes', ['putc', 'getc']],
  ['blocks', ['write', 'rewrite', 'read', 'seeks']],
  ['random-blocks', ['iops']],
  ['files', ['create', 'stat', 'delete', 'create-random', 'stat-random', 'delete-random']],
])('the unit of an operation is %s in %j', (ioUnit, names) => {
  expect(namesWhere((phase) => phase.ioUnit === ioUnit)).toEqual(names);
});
