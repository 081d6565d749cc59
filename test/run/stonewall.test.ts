import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { type OptionsInput, run } from 'gobonnie';
import { expect, test } from 'vitest';
import type { Measurement } from '../../src/report/schema/report.js';
import { sum } from '../../src/report/statistics/statistics.js';
import { GIB, KIB } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';

const THREADS = 2;
const RUNS = [0, 1];
const BLOCK = KIB;
const STONEWALL_SECONDS = 0.05;
/** More work than any machine can do in the time. */
const OPTIONS: OptionsInput = {
  stonewall: STONEWALL_SECONDS,
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
async function runWithStonewall(phases: string, own: OptionsInput = {}) {
  const dir = makeDirectory();
  const lengths: Record<string, readonly number[]> = {};
  const report = await run(
    { dir, ...OPTIONS, phases, ...own },
    {
      onEvent(event) {
        if (event.type !== 'step-end') return;
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
  expect(report.options.stonewallSeconds).toBe(own.stonewall ?? STONEWALL_SECONDS);
  expect(readdirSync(dir)).toEqual([]);
  const measured = (at: number, phase: string): Measurement => {
    const found = report.runs[at]?.measurements.find((one) => one.phase === phase);
    if (!found) throw new Error(`${phase} was not measured`);
    return found;
  };
  return { measured, lengths };
}

/** Expects that the phase used all that was created, or less if --stonewall stopped it. */
function expectUsed(used: number, created: number, { seconds }: Measurement): void {
  if (seconds < STONEWALL_SECONDS) expect(used).toBe(created);
  else expect(used).toBeLessThanOrEqual(created);
}

test('later phases use only the data that each thread had written when --stonewall stopped the write', async () => {
  const { measured, lengths } = await runWithStonewall('putc,getc,write,rewrite,read,seeks,iops');
  for (const at of RUNS) {
    for (const [creator, users] of [
      ['putc', ['getc']],
      ['write', ['rewrite', 'read']],
    ] as const) {
      const { bytes, bytesPerSecond, seconds } = measured(at, creator);
      expect(bytes).toBeLessThan(GIB);
      expect(seconds).toBeGreaterThanOrEqual(STONEWALL_SECONDS);
      expect(bytesPerSecond).toBeCloseTo(bytes / seconds);
      const written = lengths[`${at} ${creator}`] ?? [];
      expect(Math.min(...written)).toBeGreaterThan(0);
      expect(sum(written)).toBe(bytes);
      for (const user of users.map((phase) => measured(at, phase))) expectUsed(user.bytes, bytes, user);
    }
    for (const phase of ['seeks', 'iops']) expect(measured(at, phase).operations).toBeLessThan(2 ** 30);
  }
});

test('stat and delete use only the small files that each thread had created when --stonewall stopped create', async () => {
  const { measured } = await runWithStonewall('create,stat,delete,create-random,stat-random,delete-random');
  for (const at of RUNS)
    for (const suffix of ['', '-random']) {
      const { operations, seconds } = measured(at, `create${suffix}`);
      expect(operations).toBeLessThan(200_000);
      expect(seconds).toBeGreaterThanOrEqual(STONEWALL_SECONDS);
      for (const user of ['stat', 'delete'].map((name) => measured(at, name + suffix)))
        expectUsed(user.operations, operations, user);
    }
});

test('a thread that --stonewall stops at once still writes as many blocks as one random operation needs', async () => {
  const ioSize = 2 * BLOCK;
  const { lengths } = await runWithStonewall('putc,getc,write,read,iops', { stonewall: 1e-6, ioSize });
  for (const at of RUNS)
    for (const creator of ['putc', 'write'])
      expect(Math.min(...(lengths[`${at} ${creator}`] ?? []))).toBeGreaterThanOrEqual(ioSize);
});
