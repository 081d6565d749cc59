import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type OptionsInput, type RunEvent, run, schemas } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Dataset } from '../../workers/phases/phase.js';
import { phases } from '../../workers/phases/phase-catalogue.js';
import {
  ALL_PHASES,
  ALL_PHASES_FLAGS,
  ALL_PHASES_OPTIONS,
  BLOCK_BYTES,
  BLOCKS,
  FILES,
  findMeasurement,
  runPhases,
  SEEKS,
} from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';
import { mountExt4 } from '../support/disks/loop.js';
import { runGobonnie } from '../support/programs/program.js';
import { requireTools } from '../support/tools.js';

const DATA_BYTES = BLOCKS * BLOCK_BYTES;
const CHANGES = SEEKS / 10;

/** Expected work of each phase: operations, bytes read, bytes written. Null if it depends on the duration. */
const DONE: Readonly<Record<string, readonly [number | null, number | null, number | null]>> = {
  putc: [DATA_BYTES, 0, DATA_BYTES],
  write: [BLOCKS, 0, DATA_BYTES],
  rewrite: [BLOCKS, DATA_BYTES, DATA_BYTES],
  getc: [DATA_BYTES, DATA_BYTES, 0],
  read: [BLOCKS, DATA_BYTES, 0],
  seeks: [SEEKS, SEEKS * BLOCK_BYTES, CHANGES * BLOCK_BYTES],
  iops: [null, null, null],
  create: [FILES, 0, 0],
  stat: [FILES, 0, 0],
  delete: [FILES, 0, 0],
  'create-random': [FILES, 0, 0],
  'stat-random': [FILES, 0, 0],
  'delete-random': [FILES, 0, 0],
};

describe('a run of all phases', () => {
  test('a run measures each phase in the given order, and removes its files', async () => {
    const dir = makeDirectory();
    const report = await runPhases({ dir, phases: ALL_PHASES, iopsDuration: 1 });
    expect(report.outcome).toEqual({ state: 'completed' });
    expect(schemas.report.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(report.options.phases).toEqual(Object.keys(DONE));
    expect(report.runs.map(({ measurements }) => measurements.map(({ phase }) => phase))).toEqual([
      Object.keys(DONE),
    ]);
    expect(readdirSync(dir)).toEqual([]);

    // The amount, rate, CPU time and device share of each phase.
    for (const [phase, [operations, readBytes, writtenBytes]] of Object.entries(DONE)) {
      const measured = findMeasurement(report, phase);
      if (operations !== null) expect(measured, phase).toMatchObject({ operations, readBytes, writtenBytes });
      expect(measured.operations, phase).toBeGreaterThan(0);
      expect(measured.operationsPerSecond, phase).toBeCloseTo(measured.operations / measured.seconds, 3);
      expect(measured.bytesPerSecond, phase).toBeCloseTo(measured.bytes / measured.seconds, 3);
      expect(measured.latencyNs?.samples, phase).toBeGreaterThan(0);
      expect(measured.latencyNs?.max, phase).toBeGreaterThanOrEqual(measured.latencyNs?.min ?? Infinity);
      expect(measured.cpu.percent, phase).toBeGreaterThanOrEqual(0);
      expect(measured.cpu.microsecondsPerOperation, phase).not.toBeNull();
      expect(measured.device, phase).toMatchObject({ reason: null });
      expect(measured.threads, phase).toBe(2);
      expect(measured.series[measured.primaryRate].at(-1), phase).toBe(measured[measured.primaryRate]);
    }
    // Data that is read and written back counts once.
    for (const phase of ['putc', 'write', 'rewrite', 'getc', 'read'])
      expect(findMeasurement(report, phase), phase).toMatchObject({
        primaryRate: 'bytes',
        bytes: DATA_BYTES,
      });
  });

  test('a run prints a line for each phase, in the given order', async () => {
    const dir = makeDirectory();
    const ended = await runGobonnie([
      '-q',
      '--dir',
      dir,
      ...ALL_PHASES_FLAGS,
      '--phases',
      ALL_PHASES.join(','),
    ]);
    expect({ stderr: ended.stderr, exitCode: ended.exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(ended.stdout.replace(/[\d.]+\n/g, 'N\n')).toBe(
      [
        'Per-Byte Write MB/s: N',
        'Sequential Write MB/s: N',
        'Rewrite MB/s: N',
        'Per-Byte Read MB/s: N',
        'Sequential Read MB/s: N',
        'Random Seeks: N',
        'IOPS: N',
        'Sequential Create: N',
        'Sequential Stat: N',
        'Sequential Delete: N',
        'Random Create: N',
        'Random Stat: N',
        'Random Delete: N',
        '',
      ].join('\n'),
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  test('a report of two runs has statistics of each phase', async () => {
    const dir = makeDirectory();
    const report = await runPhases({ dir, phases: ALL_PHASES, runs: 2 });
    expect(report.runs.map(({ state }) => state)).toEqual(['completed', 'completed']);
    expect(report.statistics.map(({ phase, runs }) => [phase, runs])).toEqual(
      ALL_PHASES.map((name) => [name, 2]),
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each<OptionsInput>([
    { verify: true },
    { unique: true, fsyncPerWrite: true },
    { dataFiles: 3, byteMode: 'syscall', byteSize: '128k' },
    { oneFile: true, byteMode: 'unlocked', fsync: true },
    { threads: 3, fileSize: '10k', fileMinSize: 1, directories: 4 },
  ])('a run of all phases completes with %j', async (options) => {
    // After putc has written only a part of the data, only getc can follow.
    const names = ['putc', 'getc', ...ALL_PHASES.filter((name) => name !== 'putc' && name !== 'getc')];
    const dir = makeDirectory();
    const report = await runPhases({ dir, phases: names, ...options });
    expect(report.outcome).toEqual({ state: 'completed' });
    expect(report.runs[0]?.measurements.map(({ phase }) => phase)).toEqual(names);
    expect(readdirSync(dir)).toEqual([]);
  });
});

test('the report file contains the label and the phases', async () => {
  const dir = makeDirectory();
  const out = path.join(dir, 'report.json');
  const flags = ['--phases', 'create,delete', '--label', 'my disk', '--out', out];
  expect((await runGobonnie(['-q', '--dir', dir, ...ALL_PHASES_FLAGS, ...flags])).exitCode).toBe(0);
  const report = schemas.report.parse(JSON.parse(readFileSync(out, 'utf8')));
  expect(report).toMatchObject({ label: 'my disk', options: { phases: ['create', 'delete'], sizeBytes: 0 } });
  expect(readdirSync(dir)).toEqual(['report.json']);
});

test('--json prints the document even if the run also measures other phases', async () => {
  const flags = ['--phases', 'write,rewrite,read,seeks,iops,create,delete'];
  const ended = await runGobonnie(['-q', '--json', '--dir', makeDirectory(), ...ALL_PHASES_FLAGS, ...flags]);
  expect(ended.exitCode).toBe(0);
  expect(JSON.parse(ended.stdout).results).toEqual([
    expect.objectContaining({ write_bytes: DATA_BYTES, read_bytes: DATA_BYTES }),
  ]);
});

describe('an abort', () => {
  const MAKERS: Readonly<Record<Dataset, string>> = {
    data: 'write',
    tree: 'create',
    'random-tree': 'create-random',
  };

  test.each(phases)(
    'an abort in $name leaves no files and no result of that phase',
    async ({ name, dataset, access }) => {
      const dir = makeDirectory();
      const abort = new AbortController();
      const onEvent = (event: RunEvent) => {
        if (event.type === 'phase-start' && event.phase === name) setImmediate(() => abort.abort('enough'));
      };
      const before = access === 'creates' ? [] : [MAKERS[dataset]];
      const options = { dir, ...ALL_PHASES_OPTIONS, phases: [...before, name] };
      const report = await run(options, { signal: abort.signal, onEvent });
      expect(report.outcome).toEqual({ state: 'aborted', reason: 'enough' });
      expect(report.runs[0]?.measurements.map(({ phase }) => phase)).toEqual(before);
      expect(readdirSync(dir)).toEqual([]);
    },
  );
});

describe('on a disk', () => {
  beforeEach(requireTools('root', 'mount', 'mkfs.ext4'));

  test('phases that read data read it from the device, even right after the write', async () => {
    const dir = mountExt4(64 * 1024 ** 2);
    const report = await runPhases({ dir, threads: 1, phases: 'write,rewrite,getc,read,seeks' });
    expect(report.outcome).toEqual({ state: 'completed' });
    for (const phase of ['rewrite', 'getc', 'read'])
      expect(findMeasurement(report, phase).device.share, phase).toBeGreaterThan(0.9);
    // 230 random seeks in 65 blocks visit nearly all of them, and each block comes from the disk once.
    const { readBytes } = findMeasurement(report, 'seeks').device;
    expect(readBytes).toBeGreaterThan(0.8 * DATA_BYTES);
  });
});
