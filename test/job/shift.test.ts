import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { assignSources, type RankInfo } from '../../src/job/rank-info.js';
import { makeDirectory } from '../support/disks/directory.js';
import { HYDRA, startHydraOnHosts } from '../support/launchers/hydra.js';
import { readReportFile } from '../support/programs/read-report-file.js';
import { requireTools } from '../support/tools.js';

/** All phases; each block and each name is checked. */
const ALL = [
  ...['--size', '0.01', '--threads', '2', '--iops-duration', '0.1', '--cache', 'keep', '--verify'],
  ...['--phases', 'write,rewrite,read,iops,create,stat,delete,create-random,stat-random,delete-random'],
  ...['--files', '50', '--file-size', '1000', '--directories', '3', '--runs', '2'],
];

function sources(...hosts: readonly string[]): readonly number[] {
  return assignSources(hosts.map((host) => ({ host }) as RankInfo));
}

describe('whose files a rank uses', () => {
  test.each([
    [['a', 'b']],
    [['a', 'a', 'b', 'b']],
    [['a', 'b', 'c', 'a', 'b', 'c']],
    [['a', 'b', 'b', 'c']],
    [['a', 'b', 'b', 'b', 'c', 'c', 'd']],
  ])('are those of one on another host, each of another rank: %j', (hosts) => {
    const found = sources(...hosts);
    expect(found.toSorted()).toEqual([...hosts.keys()]);
    expect(found.filter((source, rank) => hosts[source] === hosts[rank])).toEqual([]);
  });

  test('are those of its own host only if that has more ranks than all others together', () => {
    const found = sources('a', 'a', 'a', 'b');
    expect(found.toSorted()).toEqual([0, 1, 2, 3]);
    expect(found.filter((source, rank) => (source === 3) !== (rank === 3))).toHaveLength(2);
  });
});

describe('on two hosts', () => {
  beforeEach(requireTools('root', HYDRA, 'unshare', 'strace', 'bash'));

  /** The directories of the data files that rank 1 opened to write only, and to read only. */
  async function opened(...args: readonly string[]) {
    const directory = makeDirectory();
    const [out, trace] = ['job.json', 'trace'].map((name) => path.join(makeDirectory(), name)) as [
      string,
      string,
    ];
    const before = `test $PMI_RANK = 1 && set -- -f -qq -e trace=openat -o ${trace} "$0" "$@" && set -- strace "$@" && exec "$@"`;
    const { exitResult } = startHydraOnHosts({ ranks: 2, hosts: 2, before }, [
      ...['--dir', directory, '--out', out],
      ...ALL,
      ...args,
    ]);
    const { stdout, stderr, exitCode } = await exitResult;
    expect([exitCode, readdirSync(directory)], stderr).toEqual([0, []]);
    const lines = readFileSync(trace, 'utf8').split('\n');
    const places = (mode: string) => [
      ...new Set(
        lines.flatMap(
          (line) => line.match(`"([^"]*)/bonnie\\.[01]", O_${mode}(ONLY)?\\|O_NOFOLLOW`)?.[1] ?? [],
        ),
      ),
    ];
    return { stdout, report: readReportFile(out), wrote: places('WRONLY'), read: places('RDONLY') };
  }

  test('each reads, checks and stats what the other has written', async () => {
    const { stdout, report, wrote, read } = await opened();
    expect([wrote.length, read.length]).toEqual([1, 1]);
    expect(read).not.toEqual(wrote);
    expect(report.job?.readSource).toBe('next-host');
    expect(stdout).toMatch(/^ {2}each host read what another had written$/m);
  });

  test('with --read-own-files each reads what it has written itself', async () => {
    const { stdout, report, wrote, read } = await opened('--read-own-files');
    expect(read).toEqual(wrote);
    expect(report.job?.readSource).toBe('own-requested');
    expect(stdout).toMatch(/^ {2}each host read what it had written itself \(--read-own-files\)$/m);
  });

  test('with --shared-file and --shared-dir all is in the directory of rank 0', async () => {
    const { report, wrote, read } = await opened('--shared-file', '--shared-dir');
    expect(wrote).toEqual([report.target.scratchDirectory]);
    expect(read).toEqual(wrote);
    expect(report.job?.readSource).toBe('next-host');
  });
});

describe('on hosts with disks of their own', () => {
  beforeEach(requireTools('root', HYDRA, 'unshare', 'bash'));

  const apart = (directory: string, args: readonly string[]) => {
    const before = `test $PMI_RANK = 1 && mount -t tmpfs none ${directory}`;
    return startHydraOnHosts({ ranks: 2, hosts: 2, before }, ['--dir', directory, ...ALL, ...args])
      .exitResult;
  };

  test('each reads what it has written itself, and that is said', async () => {
    const { stdout, stderr, exitCode } = await apart(makeDirectory(), []);
    expect(exitCode, stderr).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'each rank read what it had written itself: they do not see the same files',
    );
  });

  test.each(['--shared-file', '--shared-dir'])('%s is refused, and nothing is left', async (flag) => {
    const directory = makeDirectory();
    mkdirSync(path.join(directory, 'mine'));
    const { stdout, stderr, exitCode } = await apart(directory, [flag]);
    expect(stderr).toContain(`${flag}: not all ranks share --dir ${directory}`);
    expect([stdout, exitCode, readdirSync(directory)]).toEqual(['', 1, ['mine']]);
  });
});
