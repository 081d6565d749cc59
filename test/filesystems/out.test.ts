import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
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
    expect(measurements.map(({ step }) => step)).toEqual(['write', 'read', 'iops']);
  }
  expect(statistics.map((primaryRate) => primaryRate.runs)).toEqual([1, 2, 3].map(() => runs.length));
  // If the kill interrupts the next report, the watcher removes the temporary file.
  await vi.waitUntil(() => readdirSync(path.dirname(out)).length === 1, { timeout: 100_000 });
});
