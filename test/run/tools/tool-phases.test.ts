import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type OptionsInput, type Report, run } from 'gobonnie';
import { beforeEach, describe, expect, test } from 'vitest';
import { countProjectFiles } from '../../../workers/files/project-tree.js';
import { phases } from '../../../workers/phases/phase-catalogue.js';
import { findMeasurement } from '../../support/data/all-phases.js';
import { findScratch, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { runGobonnie } from '../../support/programs/program.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

const PACKAGES = 30;
const FILES = countProjectFiles(PACKAGES);
const FILE_PHASES = phases
  .filter(({ ioUnit, duration, name }) => ioUnit === 'tool-calls' && !duration && name !== 'status-cold')
  .map(({ name }) => name);

/** Lists the files below a directory. */
function listFiles(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Runs phases, and returns the report and the number of files in node_modules after each step. */
async function runTools(phases: readonly string[], options: OptionsInput = {}) {
  const dir = makeDirectory();
  const counts: Record<string, number> = {};
  const report = await run(
    { dir, packages: PACKAGES, phases: [...phases], ...options },
    {
      onEvent(event) {
        if (event.type !== 'step-end') return;
        const project = path.join(findScratch(dir) ?? '', `tool-project.${event.run}`);
        const files = listFiles(project).filter((file) => file.includes('node_modules'));
        counts[`${event.run} ${event.measurement.step}`] = files.length;
      },
    },
  );
  expect(report.outcome).toEqual({ state: 'completed' });
  expect(readdirSync(dir)).toEqual([]);
  return { report, counts };
}

test('each phase processes every file once, in a new directory for each run, and its result counts as the disk’s', async () => {
  const { report, counts } = await runTools(FILE_PHASES, { runs: 2 });
  for (const phase of FILE_PHASES) expect(findMeasurement(report, phase).operations).toBe(FILES);
  for (const number of [1, 2]) {
    expect(counts[`${number} install`]).toBe(FILES);
    expect(counts[`${number} clean`]).toBe(0);
  }
  const { writtenBytes } = findMeasurement(report, 'install');
  expect(findMeasurement(report, 'restore').writtenBytes).toBe(writtenBytes);
  const codes = report.warnings.map(({ code }) => code);
  for (const code of ['device-share-unknown', 'still-dirty', 'served-from-cache', 'cpu-saturated'])
    expect(codes).not.toContain(code);
  for (const phase of FILE_PHASES) expect(findMeasurement(report, phase).device.reason).toBeNull();
});

test('after --stonewall has stopped install, status sees and clean removes exactly the files that exist', async () => {
  const { report, counts } = await runTools(['install', 'status', 'clean'], {
    packages: 2000,
    stonewall: 0.1,
    cache: 'keep',
  });
  const { operations } = findMeasurement(report, 'install');
  expect(operations).toBeLessThan(countProjectFiles(2000));
  expect(counts['1 install']).toBe(operations);
  expect(findMeasurement(report, 'status').operations).toBeLessThanOrEqual(operations);
  expect(findMeasurement(report, 'clean').operations + (counts['1 clean'] ?? 0)).toBe(operations);
});

test('each commit has a latency, and there are enough commits for a p99', async () => {
  const { report } = await runTools(['install', 'commit-wal', 'commit-etcd-overwrite']);
  for (const phase of ['commit-wal', 'commit-etcd-overwrite']) {
    const { operations, latencyNs } = findMeasurement(report, phase);
    expect(operations).toBeGreaterThanOrEqual(300);
    expect(latencyNs?.p99).toBeGreaterThanOrEqual(latencyNs?.p50 ?? Infinity);
  }
});

test('a phase without its files is rejected with the phase that creates them', async () => {
  await expect(run({ dir: makeDirectory(), phases: ['status'] })).rejects.toThrow(
    'status needs files from an earlier phase',
  );
});

test('two processes measure the tools as one job, each with files of its own', async () => {
  const dir = makeDirectory();
  const flags = `--phases install,status,clean --packages ${PACKAGES} --format report -q`.split(' ');
  const job = ['--dir', dir, '--rendezvous', dir, '--ranks', '2'];
  const [first, second] = await Promise.all(
    ['0', '1'].map((rank) => runGobonnie([...flags, ...job, '--rank', rank])),
  );
  expect([first?.exitCode, second?.exitCode]).toEqual([0, 0]);
  const report: Report = JSON.parse(first?.stdout ?? '');
  for (const phase of ['install', 'status', 'clean'])
    expect(findMeasurement(report, phase).operations).toBe(2 * FILES);
  expect(readdirSync(dir)).toEqual([]);
});

describe('a cold status', () => {
  const PHASES = ['--phases', 'install,flush,status-cold', '--packages', '100', '-q', '--format', 'report'];

  test('is unknown for a user who cannot drop the cache of directories', async (context) => {
    requireNobody(context);
    const dir = makePublicDirectory('/var/tmp');
    const { stdout } = await runGobonnie([...PHASES, '--dir', dir], NOBODY);
    const report: Report = JSON.parse(stdout);
    if (report.target.isMemory) context.skip('/var/tmp is in memory');
    const { device } = findMeasurement(report, 'status-cold');
    expect(device.share).toBeNull();
    expect(device.reason).toBe('the cache of directories and inodes was not dropped');
    expect(report.outcome).toEqual({ state: 'completed' });
    expect(readdirSync(dir)).toEqual([]);
  });

  describe('for root', () => {
    beforeEach(requireTools('root'));

    test('is known only if the device read during the phase', async (context) => {
      const { stdout } = await runGobonnie([...PHASES, '--dir', makeDirectory('/var/tmp')]);
      const report: Report = JSON.parse(stdout);
      if (report.target.isMemory) context.skip('/var/tmp is in memory');
      const { device } = findMeasurement(report, 'status-cold');
      expect(device.share === 1).toBe((device.readBytes ?? 0) > 0);
    });
  });
});
