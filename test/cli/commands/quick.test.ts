import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { quick } from '../../../src/cli/commands/quick.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { presets } from '../../../src/presets/preset-catalogue.js';
import type { Report } from '../../../src/report/schema/report.js';
import { GIB } from '../../../src/text/units.js';
import { gobonnieErrorWith, machineWith, planWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { HAS_URING } from '../../support/engines.js';
import { testOnLinux } from '../../support/linux.js';
import { runGobonnie } from '../../support/programs/program.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';

const SMALL = ['--size', '64M', '--runs', '1'];

describe('gobonnie quick', () => {
  test('measures the four tests of CrystalDiskMark, each read and written, and removes its files', async () => {
    const dir = makeDirectory();
    const { stdout, exitCode } = await runGobonnie(['quick', dir, ...SMALL, '--json']);
    expect(exitCode).toBe(0);
    const report: Report = JSON.parse(stdout);
    const inFlight = (count: number) =>
      HAS_URING && count > 1
        ? { threads: 1, depth: count, engine: 'uring' }
        : { threads: count, depth: 1, engine: 'threads' };
    expect(report.options.steps).toMatchObject([
      { name: 'seq1m-q8t1.read', ioBytes: 1_048_576, ...inFlight(8) },
      { name: 'seq1m-q8t1.write', ioBytes: 1_048_576, ...inFlight(8) },
      { name: 'seq1m-q1t1.read', ioBytes: 1_048_576, ...inFlight(1) },
      { name: 'seq1m-q1t1.write', ioBytes: 1_048_576, ...inFlight(1) },
      { name: 'rnd4k-q32t1.read', ioBytes: 4096, ...inFlight(32) },
      { name: 'rnd4k-q32t1.write', ioBytes: 4096, ...inFlight(32) },
      { name: 'rnd4k-q1t1.read', ioBytes: 4096, ...inFlight(1) },
      { name: 'rnd4k-q1t1.write', ioBytes: 4096, ...inFlight(1) },
    ]);
    expect(report.warnings.map(({ code }) => code)).not.toContain('uring-unavailable');
    expect(report.runs[0]?.measurements).toHaveLength(8);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('evaluates conditions on steps, and exits with 3 if one does not hold', async () => {
    const condition = 'rnd4k-q32t1.read>=1TB/s';
    const bad = await runGobonnie(['quick', makeDirectory(), ...SMALL, '--expect', condition]);
    expect(bad).toMatchObject({ exitCode: 2, stdout: '' });
    const args = ['quick', makeDirectory(), ...SMALL, '--allow-cached', '--expect', 'rnd4k-q1t1.read>=1000M'];
    expect((await runGobonnie(args)).exitCode).toBe(3);
  });

  test.each(Object.keys(presets))('the preset %s has a plan', async (preset) => {
    const args = ['quick', makeDirectory(), '--size', '128M', '--preset', preset, '--dry-run'];
    const { stdout, exitCode } = await runGobonnie(args);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Nothing was written.');
  });

  test.each([
    ['1s', 0, '✓'],
    ['1ns', 3, '✗'],
  ])('the preset etcd ends with its p99 and the verdict on %s in every format', async (limit, code, mark) => {
    const dir = makeDirectory();
    const files = ['json', 'md', 'html', 'xml'].map((extension) => path.join(dir, `etcd.${extension}`));
    const condition = ['--expect', `wal.write.p99<${limit}`, '--allow-cached'];
    const args = ['quick', dir, '--preset', 'etcd', '--size', '256k', ...condition];
    const ended = await runGobonnie([...args, ...files.flatMap((file) => ['--out', file])]);
    expect(ended.exitCode, ended.stderr).toBe(code);
    const verdict = `${mark} wal\\.write\\.p99<${limit}: [\\d.]+ [µm]?s`;
    expect(ended.stdout).toMatch(new RegExp(`^wal\\.write MB/s: [\\d.]+\n(.+\n)?${verdict}`));
    const [json = '', ...texts] = files.map((file) =>
      readFileSync(file, 'utf8').replaceAll(/<.?span[^>]*>/g, ''),
    );
    const { expectations } = JSON.parse(json);
    expect(expectations).toMatchObject([
      { condition: 'wal.write.p99<10ms', actual: expect.any(Number) },
      { condition: `wal.write.p99<${limit}`, passed: code === 0 },
    ]);
    for (const text of texts) expect(text).toMatch(new RegExp(`wal\\.write\\.p99(<|&lt;|&#60;)${limit}`));
  });

  describe('under strace', () => {
    beforeEach(requireTools('strace'));

    test('the preset etcd allocates a new file and syncs each write, like fio with --fdatasync=1', async () => {
      const args = ['quick', '--preset', 'etcd', '--size', '256k', '-d', makeDirectory()];
      const filter = ['-e', 'trace=ftruncate,pwrite64,fdatasync'];
      const { calls } = await traceGobonnie(filter, args);
      const first = calls.findIndex((call) => /ftruncate\(/.test(call));
      const names = calls.slice(first).map((call) => /\w+(?=\(\d+)/.exec(call)?.[0]);
      expect(names.slice(0, 21)).toEqual(['ftruncate', ...Array(10).fill(['pwrite64', 'fdatasync'])].flat());
    });
  });

  test('names a size in an error as it was typed', async () => {
    const { stderr, exitCode } = await runGobonnie(['quick', makeDirectory(), '--size', '4000T']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--size 4000T needs ');
  });

  test('measures through the page cache where the filesystem accepts no direct I/O', async () => {
    const request = quick.parse(['--preset', 'crystaldiskmark']);
    if (request.type !== 'benchmark') throw new Error('quick is a benchmark');
    const lines: string[] = [];
    const machine = machineWith({ target: { acceptsDirect: false } });
    const options = validateOptions(request.defaults ?? {});
    const planned = await request.planRun?.(options, machine, (line) => lines.push(line), undefined);
    const adapted = planned?.plan.options;
    expect(adapted?.direct).toBe(false);
    expect(adapted?.steps?.every(({ direct }) => direct === false)).toBe(true);
    expect(lines).toEqual([
      expect.stringMatching(/^gobonnie: .* accepts no direct I\/O, so the page cache is dropped/),
    ]);
    const direct = await request.planRun?.(options, machineWith(), () => {}, undefined);
    expect(direct?.plan.steps.every(({ transfer }) => transfer.direct)).toBe(true);
  });

  test('reduces the threads to those that fit into the memory', async () => {
    const request = quick.parse(['--preset', 'crystaldiskmark-nvme']);
    if (request.type !== 'benchmark') throw new Error('quick is a benchmark');
    const machine = machineWith({ memoryLimitBytes: 2 * GIB, uringProblem: 'it is too old' });
    const lines: string[] = [];
    const options = validateOptions(request.defaults ?? {});
    const planned = await request.planRun?.(options, machine, (line) => lines.push(line), undefined);
    const adapted = planned?.plan.options;
    expect(lines).toEqual([
      'gobonnie: each operation in flight takes a thread, because io_uring cannot be used: it is too old',
      expect.stringMatching(/^gobonnie: the memory limits the steps to \d+ threads$/),
    ]);
    const threads = Math.max(...(adapted?.steps ?? []).map((step) => step.threads ?? 1));
    expect(threads).toBeGreaterThan(64);
    expect(threads).toBeLessThan(512);
  });
});

testOnLinux('--direct is rejected before anything is written where files accept no direct I/O', () => {
  expect(() => planWith({ size: '8M', direct: true }, { target: { acceptsDirect: false } })).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      '--direct does not work in /mnt/disk: its filesystem rejects O_DIRECT; leave it out, or pass another --dir',
    ),
  );
});
