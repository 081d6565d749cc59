import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { quick } from '../../../src/cli/commands/quick.js';
import { explainOrigins } from '../../../src/cli/config/option-source.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { plan, type RunPlan } from '../../../src/plan/plan.js';
import { loadPresets } from '../../../src/presets/load-presets.js';
import { presets } from '../../../src/presets/preset-catalogue.js';
import { GIB, MIB } from '../../../src/text/units.js';
import { gobonnieErrorWith, type MachineFacts, machineWith, planWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { HAS_URING } from '../../support/engines.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { traceGobonnie } from '../../support/programs/trace.js';
import { requireTools } from '../../support/tools.js';

describe('gobonnie quick', () => {
  test('plans the four tests of CrystalDiskMark, each read and written', async () => {
    const args = ['quick', makeDirectory(), '--size', '64M', '--dry-run', '--json'];
    const { stdout } = await runInProcess(args);
    const inFlight = (count: number) =>
      HAS_URING && count > 1
        ? { threads: 1, depth: count, engine: 'uring' }
        : { threads: count, depth: 1, engine: 'threads' };
    const steps = JSON.parse(stdout).steps.map(
      ({ name, transfer, assignments }: RunPlan['steps'][number]) => {
        const { engine, depth, blockSizeBytes, ioSizeBytes } = transfer;
        const bytes = name.startsWith('rnd') ? ioSizeBytes : blockSizeBytes;
        return { name, bytes, threads: assignments.length, depth, engine };
      },
    );
    expect(steps).toEqual([
      { name: 'seq1m-q8t1.read', bytes: 1_048_576, ...inFlight(8) },
      { name: 'seq1m-q8t1.write', bytes: 1_048_576, ...inFlight(8) },
      { name: 'seq1m-q1t1.read', bytes: 1_048_576, ...inFlight(1) },
      { name: 'seq1m-q1t1.write', bytes: 1_048_576, ...inFlight(1) },
      { name: 'rnd4k-q32t1.read', bytes: 4096, ...inFlight(32) },
      { name: 'rnd4k-q32t1.write', bytes: 4096, ...inFlight(32) },
      { name: 'rnd4k-q1t1.read', bytes: 4096, ...inFlight(1) },
      { name: 'rnd4k-q1t1.write', bytes: 4096, ...inFlight(1) },
    ]);
  });

  test.each(Object.keys(presets))('the preset %s has a plan', async (preset) => {
    const args = ['quick', makeDirectory(), '--size', '128M', '--preset', preset, '--dry-run'];
    const { stdout, exitCode } = await runInProcess(args);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('Nothing was written.');
  });

  test.each([
    ['quick', presets],
    ['load', loadPresets],
  ])('%s rejects an unknown preset with the names of all its presets', async (command, known) => {
    const { stderr, exitCode } = await runInProcess([command, '--preset', 'atto']);
    const names = Object.keys(known).join(', ');
    expect(stderr).toBe(`gobonnie: unknown --preset atto; pass one of ${names}\n`);
    expect(exitCode).toBe(2);
  });

  test.each([
    ['1s', 0, '✓'],
    ['1ns', 3, '✗'],
  ])(
    'the preset etcd prints its p99 and once the verdict on %s, which every file has',
    async (limit, code, mark) => {
      const dir = makeDirectory();
      const files = ['json', 'md', 'html', 'xml'].map((extension) => path.join(dir, `etcd.${extension}`));
      const condition = ['--expect', `wal.write.sync.p99<${limit}`, '--allow-cached'];
      const args = ['quick', dir, '--preset', 'etcd', '--size', '256k', ...condition];
      const ended = await runGobonnie([...args, ...files.flatMap((file) => ['--out', file])]);
      expect(ended.exitCode, ended.stderr).toBe(code);
      const verdict = `${mark} wal\\.write\\.sync\\.p99<${limit}: [\\d.]+ [µm]?s`;
      expect(ended.stdout).toMatch(/^ +MB\/s .* p99 .*\n {2}wal\.write .*\n {4}sync .*\n$/);
      expect(ended.stderr).toMatch(new RegExp(verdict));
      const [json = '', ...texts] = files.map((file) =>
        readFileSync(file, 'utf8').replaceAll(/<.?span[^>]*>/g, ''),
      );
      const { expectations } = JSON.parse(json);
      expect(expectations).toMatchObject([
        { condition: 'wal.write.sync.p99<10ms', actual: expect.any(Number) },
        { condition: `wal.write.sync.p99<${limit}`, passed: code === 0 },
      ]);
      for (const text of texts)
        expect(text).toMatch(new RegExp(`wal\\.write\\.sync\\.p99(<|&lt;|&#60;)${limit}`));
    },
  );

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
    expect(stderr).toContain('--size 4000T (');
  });

  /** Plans a preset on a machine. Returns the plan and the printed lines. */
  async function planPreset(preset: string, facts: MachineFacts = {}) {
    const request = quick.parse(['--preset', preset]);
    if (request.type !== 'benchmark') throw new Error('quick is a benchmark');
    const lines: string[] = [];
    const log = (line: string) => lines.push(line);
    const options = validateOptions(request.defaults ?? {});
    const machine = machineWith(facts);
    const planned = plan(request.adapt?.(options, machine, log, false) ?? options, machine);
    return { options: planned.options, steps: planned.steps, lines };
  }

  test('measures through the page cache only where the filesystem accepts no direct I/O', async () => {
    const { options, lines } = await planPreset('crystaldiskmark', { target: { acceptsDirect: false } });
    expect(options?.direct).toBe(false);
    expect(options?.steps?.every(({ direct }) => direct === false)).toBe(true);
    expect(lines).toEqual([
      expect.stringMatching(/^gobonnie: .* accepts no direct I\/O, so the page cache is dropped/),
    ]);
    const { steps } = await planPreset('crystaldiskmark');
    expect(steps?.every(({ transfer }) => transfer.direct)).toBe(true);
  });

  test("an error calls a preset's size the default, because the user did not pass it", async () => {
    const error = await planPreset('etcd', {
      target: { totalBytes: 20 * MIB, availableBytes: 20 * MIB },
    }).catch((reason: unknown) => reason);
    expect(explainOrigins(new Map(), error)).toMatchObject({
      line: expect.stringMatching(/^the default size \(22 MiB\) does not fit in .*; pass at most --size /),
    });
  });

  test('reduces the threads to those that fit into the memory', async () => {
    const facts = { memoryLimitBytes: 2 * GIB, uringProblem: 'it is too old' };
    const { options, lines } = await planPreset('crystaldiskmark-nvme', facts);
    expect(lines).toEqual([expect.stringMatching(/^gobonnie: the memory limits the steps to \d+ threads$/)]);
    const threads = Math.max(...(options?.steps ?? []).map((step) => step.threads ?? 1));
    expect(threads).toBeGreaterThan(64);
    expect(threads).toBeLessThan(512);
  });
});

test('--direct is rejected before anything is written where files accept no direct I/O', () => {
  expect(() => planWith({ size: '8M', direct: true }, { target: { acceptsDirect: false } })).toThrow(
    gobonnieErrorWith(
      'option-invalid',
      '--direct does not work in /mnt/disk: its filesystem rejects O_DIRECT; leave it out, or pass another --dir',
    ),
  );
});
