import { existsSync, readdirSync, statSync, truncateSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { check, type RunEvent, run } from 'gobonnie';
import { expect, test } from 'vitest';
import type { Measurement, Report } from '../../src/report/schema/report.js';
import { makeDirectory } from '../support/disks/directory.js';

const READ = { phase: 'random', ioSize: '4k', mix: 100, threads: 1, direct: true, seconds: 0.5 } as const;
const WRITER = { phase: 'write', blockSize: '64k', threads: 2, direct: true, name: 'writer' } as const;
const STEPS = [
  { ...READ, name: 'alone' },
  {
    ...READ,
    name: 'loaded',
    beside: [WRITER, { phase: 'read', blockSize: '1m', threads: 1, name: 'reader' }],
  },
] as const;

function find({ runs }: Report, name: string): Measurement {
  const measurement = runs[0]?.measurements.find(({ step }) => step === name);
  if (!measurement) throw new Error(`${name} has no result`);
  return measurement;
}

test('a step and those beside it each have a file and a result, and the others begin before it and end after it', async () => {
  const dir = makeDirectory(os.tmpdir());
  let files: readonly number[] = [];
  const onEvent = (event: RunEvent) => {
    if (event.type !== 'step-end' || event.measurement.step !== 'loaded') return;
    const [scratch = ''] = readdirSync(dir);
    const names = readdirSync(path.join(dir, scratch)).filter((name) => /^bonnie\.\d$/.test(name));
    files = names.map((name) => statSync(path.join(dir, scratch, name)).size);
  };
  const report = await run({ dir, size: '24M', steps: STEPS }, { onEvent });
  expect(report.outcome).toEqual({ state: 'completed' });
  expect(files).toEqual([8, 8, 8].map((mib) => mib * 1024 ** 2));
  expect(report.options.steps?.map(({ name, beside }) => [name, beside])).toEqual([
    ['alone', undefined],
    ['loaded', undefined],
    ['writer', 'loaded'],
    ['reader', 'loaded'],
  ]);
  const { seconds } = find(report, 'loaded');
  expect(find(report, 'writer').seconds).toBeGreaterThan(seconds);
  expect(find(report, 'reader').seconds).toBeGreaterThan(seconds);
  // Both have begun again: in half a second, they move more than their file.
  expect(find(report, 'reader').bytes).toBeGreaterThan(8 * 1024 ** 2);
  expect(find(report, 'writer')).toMatchObject({ threads: 2, readBytes: 0, phase: 'overwrite' });
  expect(check(report, 'writer>=1B/s', { allowCached: true })).toMatchObject([{ passed: true }]);
  expect(readdirSync(dir)).toEqual([]);
});

test.runIf(existsSync('/proc/thread-self/io'))('the kernel counts the I/O of each step apart', async () => {
  const report = await run({ dir: makeDirectory(os.tmpdir()), size: '24M', steps: STEPS });
  for (const name of ['alone', 'loaded', 'writer']) {
    const { device, readBytes, writtenBytes } = find(report, name);
    // A temporary directory in memory has no device.
    if (report.target.isMemory) continue;
    expect(device.readBytes).toBeGreaterThanOrEqual(readBytes);
    expect(device.readBytes).toBeLessThan(readBytes * 1.2 + 200_000);
    expect(device.writtenBytes).toBeLessThan(writtenBytes * 1.2 + 200_000);
    expect(device.share).toBeGreaterThan(0.9);
  }
});

test('a step beside another reads back what the layout and it itself have written', async () => {
  const beside = [{ phase: 'random', ioSize: '4k', mix: 50, threads: 2 }] as const;
  const steps = [{ phase: 'rewrite', blockSize: '64k', threads: 2, seconds: 0.3, beside }] as const;
  const report = await run({ dir: makeDirectory(), size: '16M', runs: 2, verify: true, steps });
  expect(report.outcome).toEqual({ state: 'completed' });
});

test.each([
  ['loaded', 'bonnie.0'],
  ['reader', 'bonnie.2'],
])('a failure of %s ends all steps at once', async (_, file) => {
  const dir = makeDirectory();
  const endless = STEPS.map((step) => ({ ...step, seconds: 600 })).slice(1);
  const onEvent = (event: RunEvent) => {
    if (event.type !== 'sample') return;
    const [scratch = ''] = readdirSync(dir);
    truncateSync(path.join(dir, scratch, file), 4096);
  };
  const report = await run({ dir, size: '24M', steps: endless }, { onEvent });
  expect(report.outcome).toMatchObject({ state: 'failed', message: expect.stringContaining(file) });
  expect(readdirSync(dir)).toEqual([]);
});

test('an abort ends all steps, and leaves nothing behind', async () => {
  const dir = makeDirectory();
  const controller = new AbortController();
  const onEvent = (event: RunEvent) => {
    if (event.type === 'sample') controller.abort('enough');
  };
  const steps = [{ ...STEPS[1], seconds: 600 }];
  const report = await run({ dir, size: '24M', steps }, { signal: controller.signal, onEvent });
  expect(report.outcome).toEqual({ state: 'aborted', reason: 'enough' });
  expect(readdirSync(dir)).toEqual([]);
});

test('commits and small files need no laid-out data, and may be in a list several times', async () => {
  const dir = makeDirectory();
  const steps = [
    { phase: 'commit-etcd', name: 'one', seconds: 0.2 },
    { phase: 'commit-etcd', name: 'two', seconds: 0.2 },
    { phase: 'open', ioSize: '16k', seconds: 0.2 },
  ] as const;
  const { outcome, layout, runs } = await run({ dir, runs: 2, steps });
  expect({ outcome, layout }).toEqual({ outcome: { state: 'completed' }, layout: undefined });
  for (const { measurements } of runs) {
    const bytesOf = (name: string) => {
      const one = measurements.find(({ step }) => step === name);
      return one && one.bytes / one.operations;
    };
    expect(['one', 'two', 'open'].map(bytesOf)).toEqual([2300, 2300, 16_384]);
  }
  expect(readdirSync(dir)).toEqual([]);
});
