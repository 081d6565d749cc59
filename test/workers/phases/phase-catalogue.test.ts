import { expect, test } from 'vitest';
import { getPhase, phases } from '../../../workers/phases/phase-catalogue.js';

/** bonnie++'s order, with gobonniego's iops after the other phases that use data. */
const FACTS = [
  'putc creates data in bytes, durable',
  'write creates data in blocks, durable',
  'rewrite uses data in blocks, durable, cold',
  'getc uses data in bytes, cold',
  'read uses data in blocks, cold',
  'seeks uses data in blocks, cold, seek-threads',
  'iops uses data in random-blocks, cold, duration',
  'create creates tree in files',
  'stat uses tree in files',
  'delete deletes tree in files',
  'create-random creates random-tree in files',
  'stat-random uses random-tree in files',
  'delete-random deletes random-tree in files',
];

test('each phase has its dataset, its unit, its rates, its threads and its end', () => {
  const facts = phases.map(({ name, access, dataset, ioUnit, durable, coldCache, runBy, endCondition }) => {
    const exceptions = [durable && 'durable', coldCache && 'cold', runBy, endCondition];
    const shown = exceptions.filter((fact) => fact && fact !== 'threads' && fact !== 'work');
    return [`${name} ${access} ${dataset} in ${ioUnit}`, ...shown].join(', ');
  });
  expect(facts).toEqual(FACTS);
});

test('no two phases share a title', () => {
  expect(new Set(phases.map(({ title }) => title)).size).toBe(phases.length);
});

test('getPhase() finds each phase by its name, and throws for an unknown name', () => {
  expect(phases.map(({ name }) => getPhase(name))).toEqual(phases);
  expect(() => getPhase('write2')).toThrow('no phase is called write2');
});
