import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { makeDirectory } from '../support/disks/directory.js';
import { type Cluster, SLURM_TOOLS, startCluster } from '../support/launchers/slurm.js';
import { createPath } from '../support/programs/create-path.js';
import { runGobonnie } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { ROOT } from '../support/root.js';
import { isAvailable, requireTools } from '../support/tools.js';

const SMALL = '--size 0.01 --iops-duration 0.2 --threads 1 --cache keep --format table'.split(' ');

beforeEach(requireTools(...SLURM_TOOLS));

let cluster: Cluster | undefined;
const home = mkdtempSync(path.join(os.tmpdir(), 'slurm-'));
beforeAll(async () => {
  if (SLURM_TOOLS.every(isAvailable)) cluster = await startCluster(home, ['n1', 'n2']);
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(home, { recursive: true, force: true });
});

function srun(flags: readonly string[], args: readonly string[]) {
  if (!cluster) throw new Error('Slurm did not start');
  return cluster.srun(flags, args).exitResult;
}

test('srun --mpi=pmi2 gives one report of two hosts', async () => {
  const directory = makeDirectory();
  const out = path.join(makeDirectory(), 'job.json');
  const args = ['--dir', directory, '--out', out, ...SMALL];
  const { stdout, stderr, exitCode } = await srun(['--mpi=pmi2', '-N2', '-n4'], args);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(/^ {2}4 ranks on 2 hosts, as timed:$/m);
  const report = readReportFile(out);
  expect(report.job?.hosts).toMatchObject([
    { name: 'n1', ranks: 2 },
    { name: 'n2', ranks: 2 },
  ]);
  expect(report.runs[0]?.measurements.map(({ ranks = [] }) => ranks.length)).toEqual([4, 4, 4]);
  expect(readdirSync(directory)).toEqual([]);
});

test('sbatch docs/slurm/gobonnie.sh gives one report of all nodes', async () => {
  if (!cluster) throw new Error('Slurm did not start');
  const directory = makeDirectory();
  const cwd = makeDirectory();
  const args = ['--nodes=2', path.join(ROOT, 'docs/slurm/gobonnie.sh'), '--dir', directory, ...SMALL];
  const { stdout, stderr, exitCode } = await cluster.sbatch(args, { cwd, PATH: createPath() }).exitResult;
  const [, id] = /^Submitted batch job (\d+)$/m.exec(stdout) ?? [];
  expect(readdirSync(cwd), stderr).toEqual([`gobonnie-${id}.ndjson`, `gobonnie-${id}.txt`]);
  const printed = readFileSync(path.join(cwd, `gobonnie-${id}.txt`), 'utf8');
  expect(printed).toMatch(/^ {2}2 ranks on 2 hosts, as timed:$/m);
  expect([exitCode, readdirSync(directory)]).toEqual([0, []]);
});

test('srun without PMI is rejected with a command that works', async () => {
  const { stdout, stderr, exitCode } = await srun(['-N2', '-n2'], ['--dir', makeDirectory(), ...SMALL]);
  expect(stderr).toContain('gobonnie: srun started 2 processes that cannot communicate; use srun --mpi=pmi2');
  expect([stdout, exitCode]).toEqual(['', 2]);
});

describe('a job leaves no files', () => {
  const LONG = [...SMALL, '--iops-duration', '600'];

  /** Starts a job of two ranks and waits until it measures. Returns also the process ID of rank 1. */
  async function startMeasuring(directory: string, flags: readonly string[], more: readonly string[] = []) {
    if (!cluster) throw new Error('Slurm did not start');
    const out = path.join(makeDirectory(), 'job.ndjson');
    const pidFile = path.join(makeDirectory(), 'pid');
    const shell = `test $PMI_RANK = 1 && echo $$ >${pidFile}; exec "$0" "$@"`;
    const started = cluster.srun(
      ['--mpi=pmi2', '-N2', '-n2', ...flags, 'bash', '-c', shell],
      ['--dir', directory, '--out', out, ...LONG, ...more],
    );
    const isMeasuring = () => existsSync(out) && readFileSync(out, 'utf8').includes('"type":"sample"');
    await vi.waitUntil(isMeasuring, { timeout: 60_000 });
    return { ...started, pid: Number(readFileSync(pidFile, 'utf8')) };
  }

  const waitUntilEmpty = (directory: string) =>
    vi.waitUntil(() => readdirSync(directory).length === 0, { timeout: 60_000 });

  test('with plain srun when a rank is killed, after --barrier-timeout', async () => {
    const directory = makeDirectory();
    const { exitResult, pid } = await startMeasuring(
      directory,
      [],
      ['--iops-duration', '3', '--barrier-timeout', '2'],
    );
    process.kill(pid, 'SIGKILL');
    const { stdout, stderr, exitCode } = await exitResult;
    expect(stderr).toContain('gobonnie: timed out after 2 s waiting for the other ranks');
    expect(stdout).toMatch(/incomplete: 1 of 2 ranks, not comparable/);
    expect(exitCode).not.toBe(0);
    await waitUntilEmpty(directory);
  });

  test('except after SIGTERM to srun, which kills even the watchers: gobonnie clean removes the files', async () => {
    const directory = makeDirectory();
    const { child, exitResult } = await startMeasuring(directory, []);
    child.kill('SIGTERM');
    expect((await exitResult).exitCode).not.toBe(0);
    await runGobonnie(['clean', directory]);
    expect(readdirSync(directory)).toEqual([]);
  });
});
