import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { runGobonnie } from '../../support/programs/program.js';
import { readReportFile } from '../../support/programs/read-report-file.js';
import { isAvailable, NOBODY } from '../../support/tools.js';

const SMALL = ['--packages', '20'];
/** Phases that every user can measure everywhere. */
const PHASES = [
  ...['install', 'flush', 'status'],
  ...['commit-wal', 'commit-journal', 'commit-etcd', 'commit-etcd-overwrite'],
  ...['restore', 'clean'],
];

describe('gobonnie dev', () => {
  test('as an unprivileged user measures and prints every workload, then the reference once, evaluates conditions and removes all files', async () => {
    const [dir, reference] = [makePublicDirectory(), makePublicDirectory()];
    const file = path.join(makePublicDirectory(), 'report.json');
    const flags = [...SMALL, '--reference', reference, '-q', '--out', file];
    const condition = ['--allow-cached', '--expect', 'commit-etcd.p99<1ns'];
    const { stdout, exitCode } = await runGobonnie(
      ['dev', dir, ...flags, ...condition],
      isAvailable('root') ? NOBODY : {},
    );
    expect(exitCode).toBe(3);
    const heads = stdout.split('\n').map((line) => line.split('  ')[0]);
    expect(heads.slice(0, 6)).toEqual(['npm ci', 'git status', 'rm -rf', 'SQLite', 'etcd', 'tar x']);
    expect((await runGobonnie(['show', file])).stdout).toBe(stdout);
    const markdown = await runGobonnie(['show', file, '--format', 'markdown']);
    expect(markdown.stdout).toMatch(/^\| npm ci \| 1,000 packages \| .* of I\/O .*\n\| git status \|/m);
    const page = await runGobonnie(['show', file, '--format', 'html']);
    expect(page.stdout).toMatch(/<th scope="row">npm ci<\/th><td>1,000 packages<\/td><td>.* of I\/O/);
    const report = readReportFile(file);
    expect(report.options.phases).toEqual(PHASES);
    expect(report.runs[0]?.measurements.map(({ step }) => step)).toEqual(PHASES);
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

  test('rejects a reference that it cannot measure before it writes anything', async () => {
    const dir = makeDirectory();
    const { stderr, exitCode } = await runGobonnie(['dev', dir, '--reference', '/proc']);
    expect({ exitCode, files: readdirSync(dir) }).toEqual({ exitCode: 2, files: [] });
    expect(stderr).toContain('/proc');
  });
});
