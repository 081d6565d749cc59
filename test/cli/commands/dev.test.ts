import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../../src/report/schema/report.js';
import { makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { runGobonnie } from '../../support/programs/program.js';
import { NOBODY, requireNobody } from '../../support/tools.js';

const SMALL = ['--packages', '20'];
/** Phases that every user can measure everywhere. */
const PHASES = [
  ...['install', 'flush', 'status'],
  ...['commit-wal', 'commit-journal', 'commit-etcd', 'commit-etcd-overwrite'],
  ...['restore', 'clean'],
];

function stepsOf(report: Report): readonly string[] {
  const steps = report.runs[0]?.measurements.map(({ step }) => step) ?? [];
  return steps.filter((step) => step !== 'status-cold');
}

describe('gobonnie dev', () => {
  test('measures every workload, then the reference once, and removes all files', async () => {
    const dir = makeDirectory();
    const reference = makeDirectory();
    const flags = [...SMALL, '--reference', reference, '--json', '-q'];
    const { stdout, exitCode } = await runGobonnie(['dev', dir, ...flags]);
    expect(exitCode).toBe(0);
    const report: Report = JSON.parse(stdout);
    expect(stepsOf(report)).toEqual(PHASES);
    expect(report.reference?.directory).toBe(reference);
    const counted = report.reference?.steps.map(({ step, microsecondsPerCall }) => [
      step,
      microsecondsPerCall !== null,
    ]);
    expect(counted).toEqual([
      ['install', false],
      ['flush', false],
      ['status', false],
      ['restore', true],
      ['clean', true],
    ]);
    expect([readdirSync(dir), readdirSync(reference)]).toEqual([[], []]);
  });

  test('prints a line for each workload, and evaluates conditions', async () => {
    const condition = 'commit-etcd.p99<1ns';
    const flags = [...SMALL, '-q', '--allow-cached', '--expect', condition];
    const { stdout, exitCode } = await runGobonnie(['dev', makeDirectory(), ...flags]);
    expect(exitCode).toBe(3);
    const heads = stdout.split('\n').map((line) => line.split(' ')[0]);
    expect(heads.slice(0, 5)).toEqual(['install', 'status', 'clean', 'commit', 'restore']);
  });

  test('rejects a reference that it cannot measure before it writes anything', async () => {
    const dir = makeDirectory();
    const { stderr, exitCode } = await runGobonnie(['dev', dir, '--reference', '/proc']);
    expect({ exitCode, files: readdirSync(dir) }).toEqual({ exitCode: 2, files: [] });
    expect(stderr).toContain('/proc');
  });

  test('measures as an unprivileged user, without a cold status', async (context) => {
    requireNobody(context);
    const dir = makePublicDirectory();
    const { stdout, exitCode } = await runGobonnie(['dev', dir, ...SMALL, '--json', '-q'], NOBODY);
    expect(exitCode).toBe(0);
    const report: Report = JSON.parse(stdout);
    expect(report.options.phases).toEqual(PHASES);
    expect(readdirSync(dir)).toEqual([]);
  });
});
