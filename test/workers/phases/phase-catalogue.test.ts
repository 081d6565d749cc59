import { expect, test } from 'vitest';
import { pluralize } from '../../../src/text/units.js';
import { getPhase, phases } from '../../../workers/phases/phase-catalogue.js';

/** bonnie++'s order, with gobonniego's iops after the other phases that use data. */
const FACTS = [
  'Per-Byte Write: putc creates data in bytes',
  'Sequential Write: write creates data in blocks',
  'Sequential Write to a New File: write-new creates data in blocks',
  'Fill: fill creates data in blocks',
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
  'First Read: first-read uses existing in blocks',
  'Second Read: second-read uses existing in blocks',
  'Open and Read a File: open creates single-phase in random-blocks, cold, 1 thread',
  'npm ci: install creates project in tool-calls, 4 threads',
  'Flush: flush uses project in tool-calls, 1 thread',
  'git status: status uses project in tool-calls, 16 threads',
  'git status, cold: status-cold uses project in tool-calls, cold, 16 threads',
  'SQLite WAL Commit: commit-wal creates single-phase in tool-calls, 1 thread',
  'SQLite Journal Commit: commit-journal creates single-phase in tool-calls, 1 thread',
  'etcd Append: commit-etcd creates single-phase in tool-calls, 1 thread',
  'etcd Overwrite: commit-etcd-overwrite creates single-phase in tool-calls, 1 thread',
  'tar x: restore creates single-phase in tool-calls, 1 thread',
  'rm -rf: clean deletes project in tool-calls, 1 thread',
];
const FILES = 8050;

test('each phase has its title, its dataset, its unit, its rates and its threads', () => {
  const facts = phases.map(({ name, title, access, dataset, ioUnit, coldCache, runBy }) => {
    const threads = typeof runBy === 'function' ? pluralize(runBy(FILES), 'thread') : runBy;
    const exceptions = [coldCache && 'cold', threads];
    const shown = exceptions.filter((fact) => fact && fact !== 'threads');
    return [`${title}: ${name} ${access} ${dataset} in ${ioUnit}`, ...shown].join(', ');
  });
  expect(facts).toEqual(FACTS);
});

test('getPhase() finds each phase by its name, and throws for an unknown name', () => {
  expect(phases.map(({ name }) => getPhase(name))).toEqual(phases);
  expect(() => getPhase('write2')).toThrow('no phase is called write2');
});
