import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { mount } from '../support/disks/mounts.js';
import { runGobonnie } from '../support/programs/program.js';
import { ROOT } from '../support/root.js';
import { requireTools } from '../support/tools.js';
import { measureFilesystem } from './measure-filesystem.js';

beforeEach(requireTools('root', 'mount', 'umount', 'nbdfuse', 'nbdkit', 'mkfs.ext4'));

/** Mounts an ext4 for one test, on a device with this maximum transfer rate, except for the first two seconds. */
async function mountThrottled(bitsPerSecond: string): Promise<string> {
  const server = makeDirectory(os.tmpdir());
  const file = path.join(server, 'disk');
  const throttled = ['nbdkit', '--single', '--exit-with-parent', '--filter=rate', 'memory', 'size=512M'];
  const program = spawn('nbdfuse', [file, '--command', ...throttled, `rate=${bitsPerSecond}`], {
    stdio: 'ignore',
  });
  onTestFinished(() => {
    execFileSync('umount', ['--lazy', server]);
    program.kill();
  });
  await vi.waitUntil(() => existsSync(file), { timeout: 20_000 });
  execFileSync('mkfs.ext4', ['-q', '-O', '^has_journal', '-E', 'lazy_itable_init=0', file]);
  return mount(makeDirectory(os.tmpdir()), ['-o', 'loop', file]);
}

const PAGES = ['README.md', 'docs/compare.md', 'docs/formats.md', 'examples/npm-script/package.json'];

/** The conditions of each command in the docs that uses --expect. */
const RECIPES = PAGES.flatMap((page) =>
  readFileSync(path.join(ROOT, page), 'utf8')
    .split('\n')
    .map((line) => [...line.matchAll(/--expect \\?"([^"\\]+)/g)].map(([, condition = '']) => condition))
    .filter((conditions) => conditions.length > 0)
    .map((conditions) => ({ page, conditions })),
);

test('every recipe in the docs fails on a slow disk, even if RAM is fast', async () => {
  expect(RECIPES.length).toBeGreaterThanOrEqual(PAGES.length);
  const all = [...new Set(RECIPES.flatMap(({ conditions }) => conditions))];
  const { report, exitCode } = await measureFilesystem(await mountThrottled('20M'), [
    ...['--size', '0.01', '--iops-duration', '1'],
    ...all.flatMap((condition) => ['--expect', condition]),
  ]);
  expect(exitCode).toBe(3);
  const { expectations = [] } = report;
  expect(expectations.map(({ condition }) => condition)).toEqual(all);
  const failed = expectations.filter(({ passed }) => !passed).map(({ condition }) => condition);
  for (const { page, conditions } of RECIPES)
    expect(
      conditions.some((condition) => failed.includes(condition)),
      `${page}: ${conditions}`,
    ).toBe(true);
  expect(report.runs[0]?.measurements[0]?.bytesPerSecond).toBeLessThan(20e6);
});

test('with --allow-cached, ab lets a tmpfs win against a slow disk, and its note states that the rates are as timed', async () => {
  const slow = await mountThrottled('10M');
  const flags = ['--size', '0.005', '--phases', 'write', '--runs', '3', '--allow-cached'];
  const args = ['ab', slow, '/dev/shm', ...flags];
  const { stdout, exitCode } = await runGobonnie(args);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('note: /dev/shm is compared as timed: some of the data may have been cached');
  expect(stdout).toMatch(/^\/dev\/shm is (?:at least )?[\d.]+ .*times faster than .* in write\.$/m);
});
