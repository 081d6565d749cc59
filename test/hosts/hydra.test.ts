import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sum } from '../../src/report/statistics/statistics.js';
import { makeDirectory } from '../support/disks/directory.js';
import { HYDRA, startHydra, startHydraShell } from '../support/launchers/hydra.js';
import { expectOnlyCreatedUsed, STOPPED } from '../support/launchers/stonewall.js';
import { ENTRY, startProcess } from '../support/programs/program.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { requireTools } from '../support/tools.js';

const SMALL = ['--size', '0.01', '--iops-duration', '0.2', '--threads', '1', '--cache', 'keep'];
/** A run that ends only when it is stopped. */
const LONG = ['--size', '0.01', '--iops-duration', '600', '--threads', '1', '--cache', 'keep'];

beforeEach(requireTools(HYDRA, 'bash'));

/** The phases in the file of --out so far. */
function phasesIn(file: string): readonly string[] {
  const measured = existsSync(file)
    ? readReportFile(file).runs.flatMap(({ measurements }) => measurements)
    : [];
  return measured.map(({ step, ranks = [] }) => `${step} of ${ranks.length}`);
}

/** Resolves when every rank has its data file. */
async function waitForDataFiles(directory: string, ranks: number): Promise<void> {
  const hasData = (name: string) => readdirSync(path.join(directory, name)).includes('bonnie.0');
  await vi.waitUntil(() => readdirSync(directory).filter(hasData).length === ranks, { timeout: 60_000 });
}

describe.each([1, 4])('mpiexec -n %i', (ranks) => {
  test('gives one report, with the sums over its ranks', async () => {
    const directory = makeDirectory();
    const out = path.join(makeDirectory(), 'job.json');
    const { stdout, stderr, exitCode } = await startHydra(ranks, ['--dir', directory, '--out', out, ...SMALL])
      .exitResult;
    expect(exitCode, stderr).toBe(0);
    expect(stdout.match(/^\w+/gm)).toEqual(['Sequential', 'Sequential', 'IOPS']);
    const report = readReportFile(out);
    if (ranks === 1) {
      expect(report.job).toBeUndefined();
      return;
    }
    expect(report.job?.ranks).toBe(ranks);
    for (const { ranks: rows = [], barrierSeconds, bytes, operations, threads } of report.runs[0]
      ?.measurements ?? []) {
      expect(rows.map(({ rank }) => rank)).toEqual([...Array(ranks).keys()]);
      expect(barrierSeconds).toBeGreaterThan(0);
      expect(Math.min(...rows.map(({ startOffsetSeconds }) => startOffsetSeconds))).toBe(0);
      expect([bytes, operations, threads]).toEqual([
        sum(rows.map((row) => row.bytes)),
        sum(rows.map((row) => row.operations)),
        ranks,
      ]);
    }
    expect(readdirSync(directory)).toEqual([]);
  });
});

test('a job is compared with the report of an equal job', async () => {
  const out = path.join(makeDirectory(), 'job.json');
  const args = ['--dir', makeDirectory(), ...SMALL, '--runs', '2'];
  await startHydra(2, [...args, '--out', out]).exitResult;
  const { stderr } = await startHydra(2, [...args, '--baseline', out]).exitResult;
  expect(stderr).toMatch(/^this run( is|:) /m);
});

test('--stonewall stops the phases of all ranks in one file and one directory: later phases use what each has created', async () => {
  const directory = makeDirectory();
  const out = path.join(makeDirectory(), 'job.json');
  const args = ['--dir', directory, '--out', out, ...STOPPED, '--shared-file', '--shared-dir'];
  const { stderr, exitCode } = await startHydra(2, args).exitResult;
  expect(exitCode, stderr).toBe(0);
  expectOnlyCreatedUsed(readReportFile(out), (rank) => rank);
  expect(readdirSync(directory)).toEqual([]);
});

describe('is rejected in one line:', () => {
  test.each([
    [
      'a rank with other options',
      'test $PMI_RANK = 1 && set -- "$@" --runs 2',
      'rank 1 on .* has --runs 2, but rank 0 has 1',
    ],
    [
      'a size that does not fit on the disk',
      'set -- "$@" --size 100000',
      '--size 100000 \\(100000 GiB\\) does not fit .*',
    ],
    [
      'a number of runs that depends on the spread',
      'set -- "$@" --until-stable 5',
      'a job needs a fixed number of runs, which --until-stable 5 does not set; replace it with --runs 5',
    ],
    [
      'a number of runs that depends on the time',
      'set -- "$@" --seconds 60',
      'a job needs a fixed number of runs, which --seconds 60 does not set; replace it with --runs 5',
    ],
    [
      'a comparison without a number of runs',
      'set -- "$@" --baseline before.json',
      'a job needs a fixed number of runs, which --baseline before.json does not set; add --runs 5',
    ],
    [
      'a step beside another',
      'set -- "$@" --step read --beside write',
      'steps beside others cannot run in a job; start it on each host on its own',
    ],
  ])('%s', async (_, before, message) => {
    const directory = makeDirectory();
    const { stdout, stderr, exitCode } = await startHydraShell(2, before, ['--dir', directory, ...SMALL])
      .exitResult;
    expect(stderr).toMatch(new RegExp(`^gobonnie: ${message}.*\\n$`));
    expect([stdout, exitCode, readdirSync(directory)]).toEqual(['', 2, []]);
  });

  test('an unknown flag in all ranks, which only one rank reports', async () => {
    const { stdout, stderr, exitCode } = await startHydra(4, ['--sizee', '1']).exitResult;
    expect(stderr.match(/^gobonnie: .*$/gm)).toEqual([
      'gobonnie: unknown option --sizee; did you mean --size?',
    ]);
    expect([stdout, exitCode]).toEqual(['', 2]);
  });

  test('an unknown flag in one rank, for which the other rank does not wait', async () => {
    const directory = makeDirectory();
    const before = 'test $PMI_RANK = 1 && set -- "$@" --sizee 1';
    const { stderr, exitCode } = await startHydraShell(2, before, ['--dir', directory, ...LONG]).exitResult;
    expect(stderr).toBe('gobonnie: rank 1: unknown option --sizee; did you mean --size?\n');
    expect(exitCode).toBe(2);
    await vi.waitUntil(() => readdirSync(directory).length === 0, { timeout: 60_000 });
  });

  test('a start by a Node program, which closes the connection, with a command that works', async () => {
    const script = `require('child_process').spawnSync(process.execPath, [${JSON.stringify(ENTRY)}, '--size', '0.01'], { stdio: 'inherit' })`;
    const { stderr } = await startProcess(HYDRA, ['-n', '2', process.execPath, '-e', script]).exitResult;
    expect(stderr).toContain(`mpiexec -n 2 node ${ENTRY} …`);
  });

  test.each([
    ['ab', '/tmp', '/var/tmp'],
    ['zones', ENTRY],
  ])('%s, which runs as one process', async (...args) => {
    const { stderr, stdout, exitCode } = await startHydra(2, args).exitResult;
    expect(stderr).toContain(`gobonnie: ${args[0]} cannot run under mpiexec or srun; start it on its own`);
    expect([stdout, exitCode]).toEqual(['', 2]);
  });

  test('mpiexec -pmi-port', async () => {
    const args = ['-pmi-port', '-n', '2', process.execPath, ENTRY, '--dir', makeDirectory(), ...SMALL];
    const { stdout, stderr, exitCode } = await startProcess(HYDRA, args).exitResult;
    expect(stderr).toContain('gobonnie: -pmi-port of mpiexec is not supported; leave out -pmi-port\n');
    expect([stdout, exitCode]).toEqual(['', 2]);
  });

  test("processes of Open MPI's mpirun, which cannot communicate", async () => {
    const env = { ...process.env, OMPI_COMM_WORLD_SIZE: '4', PMIX_RANK: '1' };
    const { stderr, exitCode } = await startProcess(process.execPath, [ENTRY, ...SMALL], { env }).exitResult;
    expect(stderr).toMatch(/^gobonnie: this launcher supports only PMIx, .*srun --mpi=pmi2.*\n$/);
    expect(exitCode).toBe(2);
  });
});

describe('a job leaves no files', () => {
  test("when a rank's disk is full: it names that rank, and its rates are marked incomplete", async () => {
    const directory = makeDirectory();
    const out = path.join(makeDirectory(), 'job.json');
    const limit = 'test $PMI_RANK = 1 && ulimit -f 2000';
    const args = ['--dir', directory, '--out', out, '--format', 'table', ...SMALL];
    const { stdout, stderr, exitCode } = await startHydraShell(3, limit, args).exitResult;
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^\n {2}write .*\n {2}\S+ .*\n {2}incomplete: 2 of 3 ranks, not comparable\n$/);
    expect(stderr).toMatch(/gobonnie: rank 1 on \S+: write failed in .* file too large \(EFBIG\)/);
    expect(readReportFile(out).job?.failedStep).toMatchObject({
      step: 'write',
      ranks: [{ rank: 0 }, { rank: 2 }],
    });
    expect(readdirSync(directory)).toEqual([]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('after %s to mpiexec', async (signal, exitCode) => {
    const directory = makeDirectory();
    // mpiexec may end before it knows the exit codes, and then returns 0.
    const run = 'trap : INT TERM; "$0" "$@"; echo "exit code $?" >&2; exit';
    const { child, exitResult } = startHydraShell(3, run, ['--dir', directory, ...LONG]);
    await waitForDataFiles(directory, 3);
    child.kill(signal);
    const { stderr } = await exitResult;
    expect(stderr).toContain(
      `gobonnie: stopped by ${signal} after 0 complete runs; the temporary files are removed`,
    );
    expect(stderr.match(/^exit code .*$/gm)).toEqual(new Array(3).fill(`exit code ${exitCode}`));
    expect(readdirSync(directory)).toEqual([]);
  });

  test('when a rank is killed, and --out has the phases before the kill', async () => {
    const directory = makeDirectory();
    const out = path.join(makeDirectory(), 'job.json');
    const before = `test $PMI_RANK = 1 && echo $$ >${directory}/pid`;
    const { exitResult } = startHydraShell(3, before, ['--dir', directory, '--out', out, ...LONG]);
    await vi.waitUntil(() => phasesIn(out).length === 2, { timeout: 60_000 });
    const pid = Number(readFileSync(path.join(directory, 'pid'), 'utf8'));
    process.kill(pid, 'SIGKILL');
    expect((await exitResult).exitCode).not.toBe(0);
    expect(phasesIn(out)).toEqual(['write of 3', 'read of 3']);
    await vi.waitUntil(() => readdirSync(directory).join() === 'pid', { timeout: 60_000 });
  });

  test('when a rank hangs for longer than --barrier-timeout, which another rank reports', async () => {
    const directory = makeDirectory();
    const before = `test $PMI_RANK = 1 && echo $$ >${directory}/pid`;
    const out = path.join(makeDirectory(), 'job.ndjson');
    const more = ['--barrier-timeout', '2', '--iops-duration', '3', '--format', 'table'];
    const args = ['--dir', directory, '--out', out, ...SMALL, ...more];
    const { exitResult } = startHydraShell(2, before, args);
    const isAtWork = () =>
      existsSync(out) && /"type":"sample".*"step":"iops"/.test(readFileSync(out, 'utf8'));
    await vi.waitUntil(isAtWork, { timeout: 60_000 });
    process.kill(Number(readFileSync(path.join(directory, 'pid'), 'utf8')), 'SIGSTOP');
    const { stdout, stderr, exitCode } = await exitResult;
    // The job has no rate for iops: one line has the rate of the other rank, and the next one marks it as incomplete.
    expect(stdout.match(/^ {2}iops .*$/gm)).toEqual([expect.stringContaining('ranks')]);
    expect(stdout).toMatch(/\n {2}iops .*\n {2}\S+ .*\n {2}incomplete: 1 of 2 ranks, not comparable\n$/);
    expect(stderr).toContain('gobonnie: timed out after 2 s waiting for the other ranks');
    expect(exitCode).not.toBe(0);
    await vi.waitUntil(() => readdirSync(directory).join() === 'pid', { timeout: 60_000 });
  });
});
