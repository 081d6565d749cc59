import { readdirSync } from 'node:fs';
import { schemas } from 'gobonnie';
import { expect, test } from 'vitest';
import { renderReport, reportFormats } from '../../src/format/index.js';
import {
  ALL_PHASES,
  BLOCK_BYTES,
  BLOCKS,
  FILES,
  findMeasurement,
  runPhases,
  SEEKS,
} from '../support/data/all-phases.js';
import { makeDirectory } from '../support/disks/directory.js';

const DATA_BYTES = BLOCKS * BLOCK_BYTES;
const CHANGES = SEEKS / 10;

/** Expected work of each phase: operations, bytes read, bytes written. Null if it depends on the duration. */
const DONE: Readonly<Record<string, readonly [number | null, number | null, number | null]>> = {
  putc: [DATA_BYTES, 0, DATA_BYTES],
  write: [BLOCKS, 0, DATA_BYTES],
  'write-new': [BLOCKS, 0, DATA_BYTES],
  fill: [BLOCKS, 0, DATA_BYTES],
  overwrite: [BLOCKS, 0, DATA_BYTES],
  rewrite: [BLOCKS, DATA_BYTES, DATA_BYTES],
  getc: [DATA_BYTES, DATA_BYTES, 0],
  read: [BLOCKS, DATA_BYTES, 0],
  seeks: [SEEKS, SEEKS * BLOCK_BYTES, CHANGES * BLOCK_BYTES],
  random: [null, null, null],
  iops: [null, null, null],
  create: [FILES, 0, 0],
  stat: [FILES, 0, 0],
  delete: [FILES, 0, 0],
  'create-random': [FILES, 0, 0],
  'stat-random': [FILES, 0, 0],
  'delete-random': [FILES, 0, 0],
};

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
    const latencyNs = measured.latencyNs ?? measured.copyLatencyNs;
    expect(latencyNs?.samples, phase).toBeGreaterThan(0);
    expect(latencyNs?.max, phase).toBeGreaterThanOrEqual(latencyNs?.min ?? Infinity);
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
  expect(JSON.parse(renderReport(reportFormats.json, report)).results).toEqual([
    expect.objectContaining({ write_bytes: DATA_BYTES, read_bytes: DATA_BYTES }),
  ]);
});
