import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type OptionsInput, run } from 'gobonnie';
import { expect, test } from 'vitest';
import type { Measurement } from '../../src/report/schema/report.js';
import { KIB } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';

const THREADS = 2;
const RUNS = [0, 1];
const BLOCK = KIB;
/** No machine does all of it in that time. */
const CUT: OptionsInput = {
  ...{ stonewall: 0.05, size: 1, blockSize: BLOCK, seeks: 2 ** 30, files: 200_000, directories: 7 },
  ...{ threads: THREADS, runs: RUNS.length, verify: true, cache: 'keep', iopsDuration: 0.05 },
};

/** The measurements of each run, and what was in the data files after each phase. */
async function runCut(phases: string) {
  const dir = makeDirectory();
  const lengths: Record<string, readonly number[]> = {};
  const report = await run(
    { dir, ...CUT, phases },
    {
      onEvent(event) {
        if (event.type !== 'phase-end') return;
        const scratch = path.join(dir, readdirSync(dir)[0] ?? '');
        const files = readdirSync(scratch).filter((name) => name.startsWith('bonnie.'));
        lengths[`${event.run - 1} ${event.measurement.phase}`] = files.map(
          (name) => statSync(path.join(scratch, name)).size,
        );
      },
    },
  );
  // Each block was found as it was written.
  expect(report.outcome).toEqual({ state: 'completed' });
  expect(report.options.stonewallSeconds).toBe(0.05);
  expect(readdirSync(dir)).toEqual([]);
  const measured = (at: number, phase: string): Measurement => {
    const found = report.runs[at]?.measurements.find((one) => one.phase === phase);
    if (!found) throw new Error(`${phase} was not measured`);
    return found;
  };
  return { measured, lengths };
}

/** What each thread did at least in a phase that was cut. */
function stepsOf({ stonewall, operations, bytes }: Measurement): number {
  if (!stonewall) throw new Error('it was not cut');
  expect(stonewall.seconds).toBeGreaterThanOrEqual(0.05);
  expect(stonewall.operations).toBeLessThanOrEqual(operations);
  expect(stonewall.bytes).toBeLessThanOrEqual(bytes);
  expect(stonewall.leastSteps).toBeGreaterThan(0);
  return stonewall.leastSteps;
}

test('later phases use the data that all threads had written when the write was cut', async () => {
  const { measured, lengths } = await runCut('putc,getc,write,rewrite,read,seeks,iops');
  for (const at of RUNS) {
    for (const [creator, users] of [
      ['putc', ['getc']],
      ['write', ['rewrite', 'read']],
    ] as const) {
      const created = measured(at, creator);
      const eachBytes = stepsOf(created) * BLOCK;
      const written = lengths[`${at} ${creator}`] ?? [];
      expect(written.reduce((sum, length) => sum + length, 0)).toBe(created.bytes);
      expect(Math.min(...written)).toBe(eachBytes);
      for (const { bytes, stonewall } of users.map((phase) => measured(at, phase))) {
        if (stonewall) expect(bytes).toBeLessThanOrEqual(THREADS * eachBytes);
        else expect(bytes).toBe(THREADS * eachBytes);
      }
    }
    for (const phase of ['seeks', 'iops']) {
      const { operations, stonewall } = measured(at, phase);
      expect(operations).toBeLessThan(2 ** 30);
      expect(stonewall).toBeUndefined();
    }
  }
});

test('only the small files that all threads had made when their creation was cut are looked at and deleted', async () => {
  const { measured } = await runCut('create,stat,delete,create-random,stat-random,delete-random');
  for (const at of RUNS)
    for (const suffix of ['', '-random']) {
      const made = THREADS * stepsOf(measured(at, `create${suffix}`));
      expect(made).toBeLessThan(200_000);
      for (const { operations, stonewall } of ['stat', 'delete'].map((name) => measured(at, name + suffix))) {
        if (stonewall) expect(operations).toBeLessThanOrEqual(made);
        else expect(operations).toBe(made);
      }
    }
});
