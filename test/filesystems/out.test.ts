import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { runGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { startGobonnieForTest } from '../support/programs/running-program.js';
import { SMALL_FLAGS } from '../support/programs/small-run.js';

test('kill -9 during a later run leaves a complete report of the earlier runs', async () => {
  const out = path.join(makeDirectory(os.tmpdir()), 'report.json');
  const args = ['-v', '--dir', makeDirectory(os.tmpdir()), '--out', out, '--runs', '1000', ...SMALL_FLAGS];
  const program = startGobonnieForTest(args);
  await program.untilStderr(/operations[\s\S]*Sequential Write/);
  await vi.waitUntil(() => existsSync(out), { interval: 2, timeout: 100_000 });
  program.kill('SIGKILL');
  expect((await program.exitResult).signal).toBe('SIGKILL');
  const { outcome, runs, statistics, cache, target } = readReportFile(out);
  expect(outcome).toEqual({ state: 'running' });
  expect(cache.applied === 'keep').toBe(target.isMemory);
  expect(runs.length).toBeGreaterThanOrEqual(1);
  for (const { state, measurements } of runs) {
    expect(state).toBe('completed');
    expect(measurements.map(({ phase }) => phase)).toEqual(['write', 'read', 'iops']);
  }
  expect(statistics.map((primaryRate) => primaryRate.runs)).toEqual([1, 2, 3].map(() => runs.length));
  // If the kill interrupts the next report, the watcher removes the temporary file.
  await vi.waitUntil(() => readdirSync(path.dirname(out)).length === 1, { timeout: 100_000 });
});

test('repeated --out writes the report to every file', async () => {
  const dir = makeDirectory();
  const files = ['a.json', 'b.json', 'c.json'].map((name) => path.join(dir, name));
  const flags = files.flatMap((file) => ['--out', file]);
  const { exitCode } = await runGobonnie(['--dir', makeDirectory(), ...SMALL_FLAGS, ...flags]);
  const reports = files.map(readReportFile);
  expect(exitCode).toBe(0);
  expect(reports[0]?.outcome).toEqual({ state: 'completed' });
  expect(reports[1]).toEqual(reports[0]);
  expect(reports[2]).toEqual(reports[0]);
  expect(readdirSync(dir)).toHaveLength(3);
});

test('after Ctrl-C, the report has the complete phases and the reason', async () => {
  const out = path.join(makeDirectory(), 'report.json');
  const program = startGobonnieForTest([
    ...['-v', '--dir', makeDirectory(), '--out', out, ...SMALL_FLAGS],
    ...['--iops-duration', '600'],
  ]);
  await program.untilStderr(/Sequential Read/);
  program.kill('SIGINT');
  expect((await program.exitResult).exitCode).toBe(130);
  const { outcome, runs, statistics } = readReportFile(out);
  expect(outcome).toEqual({ state: 'aborted', reason: 'SIGINT' });
  expect(runs.map(({ state, measurements }) => [state, measurements.length])).toEqual([['incomplete', 2]]);
  expect(statistics).toEqual([]);
});
