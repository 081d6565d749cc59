import { expect, test } from 'vitest';
import { getPhase, phases } from '../../../workers/phases/phase-catalogue.js';

/** bonnie++'s order, with gobonniego's iops after the other phases that use data. */
const FACTS = [
  'Per-Byte Write: putc creates data in bytes',
  'Sequential Write: write creates data in blocks',
  'Sequential Overwrite: overwrite uses data in blocks',
  'Rewrite: rewrite uses data in blocks, cold',
  'Per-Byte Read: getc uses data in bytes, cold',
  'Sequential Read: read uses data in blocks, cold',
  'Random Seeks: seeks uses data in blocks, cold, seek-threads',
  'Random I/O: random uses data in random-blocks, cold',
  'IOPS: iops uses data in random-blocks, cold',
  'Sequential Create: create creates tree in files',
  'Sequential Stat: stat uses tree in files',
  'Sequential Delete: delete deletes tree in files',
  'Random Create: create-random creates random-tree in files',
  'Random Stat: stat-random uses random-tree in files',
  'Random Delete: delete-random deletes random-tree in files',
];

test('each phase has its title, its dataset, its unit, its rates and its threads', () => {
  const facts = phases.map(({ name, title, access, dataset, ioUnit, coldCache, runBy }) => {
    const exceptions = [coldCache && 'cold', runBy];
    const shown = exceptions.filter((fact) => fact && fact !== 'threads');
    return [`${title}: ${name} ${access} ${dataset} in ${ioUnit}`, ...shown].join(', ');
  });
  expect(facts).toEqual(FACTS);
});

test('getPhase() finds each phase by its name, and throws for an unknown name', () => {
  expect(phases.map(({ name }) => getPhase(name))).toEqual(phases);
  expect(() => getPhase('write2')).toThrow('no phase is called write2');
});
