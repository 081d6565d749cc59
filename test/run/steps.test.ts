import { existsSync, readdirSync } from 'node:fs';
import { check, type RunEvent, run, schemas } from 'gobonnie';
import { describe, expect, test } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';

const STEPS = [
  { phase: 'random', ioSize: '4k', threads: 3, mix: 100, seconds: 0.1 },
  { phase: 'random', ioSize: 512, threads: 1, mix: 50, seconds: 0.1 },
  { phase: 'read', blockSize: '256k', threads: 4, name: 'scan' },
  { phase: 'write', blockSize: '64k', threads: 2 },
  { phase: 'rewrite', blockSize: '1m', threads: 1 },
] as const;

const NAMES = ['rnd4k-t3.read', 'rnd512-t1.mix50', 'scan', 'seq64k-t2.write', 'seq1m-t1.rewrite'];

describe('a run of steps', () => {
  test('lays out its data once, and measures each step with its own threads in every run', async () => {
    const dir = makeDirectory();
    const starts: string[] = [];
    const onEvent = (event: RunEvent) => {
      if (event.type === 'step-start') starts.push(event.step);
    };
    const report = await run({ dir, size: '8M', runs: 2, threads: 2, seed: 5, steps: STEPS }, { onEvent });
    expect(report.outcome).toEqual({ state: 'completed' });
    expect(schemas.report.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(starts.filter((step) => step === 'layout')).toEqual(['layout']);
    expect(report.layout?.bytes).toBe(8 * 1024 ** 2);
    for (const { measurements } of report.runs) {
      expect(measurements.map(({ step }) => step).toSorted()).toEqual(NAMES.toSorted());
      const find = (name: string) => measurements.find(({ step }) => step === name);
      expect(find('rnd4k-t3.read')).toMatchObject({ phase: 'random', threads: 3, writtenBytes: 0 });
      expect(find('rnd512-t1.mix50')?.writes?.operations).toBeGreaterThan(0);
      expect(find('scan')).toMatchObject({ threads: 4, operations: 32, readBytes: 8 * 1024 ** 2 });
      expect(find('seq64k-t2.write')).toMatchObject({ phase: 'overwrite', operations: 128 });
      expect(find('seq1m-t1.rewrite')).toMatchObject({ operations: 8 });
    }
    expect(readdirSync(dir)).toEqual([]);
  });

  test.each(['same', 'unique', 'verify'])('reads back what other steps wrote, with %s data', async (kind) => {
    const options = { dir: makeDirectory(), size: '4M', runs: 3, threads: 2, steps: STEPS };
    const { outcome } = await run({ ...options, unique: kind === 'unique', verify: kind === 'verify' });
    expect(outcome).toEqual({ state: 'completed' });
  });

  test('ends a sequential step at its time', async () => {
    const steps = [
      { phase: 'write', blockSize: 4096, threads: 1, seconds: 0.001, syncPerWrite: 'fsync' },
    ] as const;
    const { runs, outcome } = await run({ dir: makeDirectory(), size: '64M', steps });
    expect(outcome).toEqual({ state: 'completed' });
    expect(runs[0]?.measurements[0]?.writtenBytes).toBeLessThan(64 * 1024 ** 2);
    expect(runs[0]?.measurements[0]?.operations).toBeGreaterThan(0);
  });

  test('ends the layout at --stonewall, and the steps use the part that exists', async () => {
    const steps = 'random,io-size=4k,threads=2,mix=100,seconds=0.1 read,block-size=1m,threads=3';
    const options = { dir: makeDirectory(), size: '1G', threads: 2, stonewall: 0.001, steps, verify: true };
    const { layout, runs, outcome } = await run(options);
    expect(outcome).toEqual({ state: 'completed' });
    expect(layout?.bytes).toBeLessThan(1024 ** 3);
    expect(runs[0]?.measurements).toHaveLength(2);
  });
});

test('conditions name steps, whose names may have dots', async () => {
  const report = await run({
    dir: makeDirectory(),
    size: '4M',
    steps: 'random,io-size=4k,threads=2,mix=100,seconds=0.1',
  });
  const conditions = ['rnd4k-t2.read>=1', 'rnd4k-t2.read.p99<60min'];
  expect(check(report, conditions, { allowCached: true })).toMatchObject([
    { passed: true },
    { passed: true },
  ]);
  expect(() => check(report, 'rnd4k-t2>=1')).toThrow('names rnd4k-t2, which is not measured');
  expect(existsSync(report.target.scratchDirectory)).toBe(false);
});
