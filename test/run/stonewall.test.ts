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
/** More work than any machine can do in the time. */
const OPTIONS: OptionsInput = {
  stonewall: 0.05,
  size: 1,
  blockSize: BLOCK,
  seeks: 2 ** 30,
  files: 200_000,
  directories: 7,
  threads: THREADS,
  runs: RUNS.length,
  verify: true,
  cache: 'keep',
  iopsDuration: 0.05,
};

/** Returns the measurements of each run, and the sizes of the data files after each phase. */
async function runWithStonewall(phases: string) {
  const dir = makeDirectory();
  const lengths: Record<string, readonly number[]> = {};
  const report = await run(
    { dir, ...OPTIONS, phases },
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
  // With --verify, this means that every block had the data that was written.
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

/** Returns the least steps of any thread in a phase that --stonewall stopped. */
function leastStepsIn({ stonewall, operations, bytes }: Measurement): number {
  if (!stonewall) throw new Error('the phase was not stopped');
  expect(stonewall.seconds).toBeGreaterThanOrEqual(0.05);
  expect(stonewall.operations).toBeLessThanOrEqual(operations);
  expect(stonewall.bytes).toBeLessThanOrEqual(bytes);
  expect(stonewall.leastSteps).toBeGreaterThan(0);
  return stonewall.leastSteps;
}

test('later phases use only the data that every thread had written when --stonewall stopped the write', async () => {
  const { measured, lengths } = await runWithStonewall('putc,getc,write,rewrite,read,seeks,iops');
  for (const at of RUNS) {
    for (const [creator, users] of [
      ['putc', ['getc']],
      ['write', ['rewrite', 'read']],
    ] as const) {
      const created = measured(at, creator);
      const eachBytes = leastStepsIn(created) * BLOCK;
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

test('stat and delete use only the small files that every thread had created when --stonewall stopped create', async () => {
  const { measured } = await runWithStonewall('create,stat,delete,create-random,stat-random,delete-random');
  for (const at of RUNS)
    for (const suffix of ['', '-random']) {
      const created = THREADS * leastStepsIn(measured(at, `create${suffix}`));
      expect(created).toBeLessThan(200_000);
      for (const { operations, stonewall } of ['stat', 'delete'].map((name) => measured(at, name + suffix))) {
        if (stonewall) expect(operations).toBeLessThanOrEqual(created);
        else expect(operations).toBe(created);
      }
    }
});
