import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { assignSources, type RankInfo } from '../../src/hosts/rank-info.js';
import { makeDirectory } from '../support/disks/directory.js';
import { HYDRA, startHydraOnHosts } from '../support/launchers/hydra.js';
import { expectOnlyCreatedUsed, STOPPED } from '../support/launchers/stonewall.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { requireTools } from '../support/tools.js';

/** All phases; --verify checks each block and each name. */
const ALL = (
  '--size 0.01 --threads 2 --iops-duration 0.1 --cache keep --verify ' +
  '--phases write,rewrite,read,iops,create,stat,delete,create-random,stat-random,delete-random ' +
  '--files 50 --file-size 1000 --directories 3 --runs 2 --format table'
).split(' ');

function sources(...hosts: readonly string[]): readonly number[] {
  return assignSources(hosts.map((host) => ({ host }) as RankInfo));
}

describe('the files that a rank reads', () => {
  test.each([
    [['a', 'b']],
    [['a', 'a', 'b', 'b']],
    [['a', 'b', 'c', 'a', 'b', 'c']],
    [['a', 'b', 'b', 'c']],
    [['a', 'b', 'b', 'b', 'c', 'c', 'd']],
  ])('belong to a rank on another host, and no two ranks read the same files: %j', (hosts) => {
    const assigned = sources(...hosts);
    expect(assigned.toSorted()).toEqual([...hosts.keys()]);
    expect(assigned.filter((source, rank) => hosts[source] === hosts[rank])).toEqual([]);
  });

  test('belong to its own host only if that has more ranks than all other hosts together', () => {
    const assigned = sources('a', 'a', 'a', 'b');
    expect(assigned.toSorted()).toEqual([0, 1, 2, 3]);
    expect(assigned.filter((source, rank) => (source === 3) !== (rank === 3))).toHaveLength(2);
  });
});

describe('on two hosts', () => {
  beforeEach(requireTools('root', HYDRA, 'unshare', 'strace', 'bash'));

  /** Runs a job. Returns the directories of the data files that rank 1 opened only to write, and only to read. */
  async function traceOpens(...args: readonly string[]) {
    const directory = makeDirectory();
    const out = path.join(makeDirectory(), 'job.json');
    const traces = makeDirectory();
    // One file for each thread, so no other call splits a line.
    const before = `test $PMI_RANK = 1 && set -- -ff -qq -yy -e trace=openat -o ${traces}/thread "$0" "$@" && set -- strace "$@" && exec "$@"`;
    const allArgs = ['--dir', directory, '--out', out, ...ALL, ...args];
    const { exitResult } = startHydraOnHosts({ ranks: 2, hosts: 2, before }, allArgs);
    const { stdout, stderr, exitCode } = await exitResult;
    expect([exitCode, readdirSync(directory)], stderr).toEqual([0, []]);
    const lines = readdirSync(traces).flatMap((name) =>
      readFileSync(path.join(traces, name), 'utf8').split('\n'),
    );
    const directories = (mode: string) => [
      ...new Set(
        lines.flatMap(
          (line) => line.match(`O_${mode}(?:ONLY)?\\|O_NOFOLLOW.* = \\d+<(.*)/bonnie\\.[01]>`)?.[1] ?? [],
        ),
      ),
    ];
    return { stdout, report: readReportFile(out), wrote: directories('WRONLY'), read: directories('RDONLY') };
  }

  test('each rank reads, checks and stats the files of the other rank', async () => {
    const { stdout, report, wrote, read } = await traceOpens();
    expect([wrote.length, read.length]).toEqual([1, 1]);
    expect(read).not.toEqual(wrote);
    expect(report.job?.readSource).toBe('next-host');
    expect(stdout).toMatch(/^ {2}each host read another host's files$/m);
  });

  test('with --read-own-files each rank reads its own files', async () => {
    const { stdout, report, wrote, read } = await traceOpens('--read-own-files');
    expect(read).toEqual(wrote);
    expect(report.job?.readSource).toBe('own-requested');
    expect(stdout).toMatch(/^ {2}each host read its own files \(--read-own-files\)$/m);
  });

  test('after --stonewall each rank uses what the threads of the other rank have created', async () => {
    const out = path.join(makeDirectory(), 'job.json');
    const args = ['--dir', makeDirectory(), '--out', out, ...STOPPED];
    const { stderr, exitCode } = await startHydraOnHosts({ ranks: 2, hosts: 2 }, args).exitResult;
    expect(exitCode, stderr).toBe(0);
    expectOnlyCreatedUsed(readReportFile(out), (rank) => 1 - rank);
  });

  test('with --shared-file and --shared-dir all files are in the directory of rank 0', async () => {
    const { report, wrote, read } = await traceOpens('--shared-file', '--shared-dir');
    expect(wrote).toEqual([report.target.scratchDirectory]);
    expect(read).toEqual(wrote);
    expect(report.job?.readSource).toBe('next-host');
  });
});

describe('on hosts that do not share files', () => {
  beforeEach(requireTools('root', HYDRA, 'unshare', 'bash'));

  const runWithoutSharing = (directory: string, args: readonly string[]) => {
    const before = `test $PMI_RANK = 1 && mount -t tmpfs none ${directory}`;
    return startHydraOnHosts({ ranks: 2, hosts: 2, before }, ['--dir', directory, ...ALL, ...args])
      .exitResult;
  };

  test('each rank reads its own files, and the output says so', async () => {
    const { stdout, stderr, exitCode } = await runWithoutSharing(makeDirectory(), []);
    expect(exitCode, stderr).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'each rank read its own files: the hosts do not share files',
    );
  });

  test.each(['--shared-file', '--shared-dir'])('%s is rejected, and no files remain', async (flag) => {
    const directory = makeDirectory();
    mkdirSync(path.join(directory, 'mine'));
    const { stdout, stderr, exitCode } = await runWithoutSharing(directory, [flag]);
    expect(stderr).toContain(`${flag}: not all ranks share --dir ${directory}`);
    expect([stdout, exitCode, readdirSync(directory)]).toEqual(['', 1, ['mine']]);
  });
});
