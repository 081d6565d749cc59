import { beforeEach, describe, expect, test } from 'vitest';
import { gobonnie } from '../program.js';
import { needs } from '../tool.js';
import { traceGobonnie } from '../trace.js';

const HELP = `Usage: gobonnie [options]

Measures how fast a disk is: sequential write, sequential read and IOPS.

Options:
  --dir <DIR>             where the temporary files go; made if missing, and then removed again
                          (default: the system's temporary directory)
  --size <GiB>            how much disk space to use (default: twice the memory)
  --procs, --threads <N>  how many readers and writers work at once, 1 to 1024 (default: one for
                          each CPU core)
  --runs <N>              how many times to measure (default: 1)
  --seconds <S>           measure again until so many seconds are over, and --runs done (default: 0)
  --iops-duration <S>     how many seconds the IOPS measurement lasts (default: 15)
  --block-size <BYTES>    how much one sequential write or read moves, like 64k or 1m (default: 64k)
  --io-size <BYTES>       how much one random write or read moves, like 512 or 4k (default: 512)
  --seed <N>              repeat the same random data and offsets (default: random)
  --json                  print one JSON document on stdout, with gobonniego's keys
  -v, --verbose           say more on stderr: the machine, what was moved and how long it took
  -q, --quiet             say nothing on stderr but errors
  --dry-run               print what would be done, and touch nothing
  --version               print the version
  -h, --help              print this help

Examples:
  gobonnie                              the system's temporary directory, twice the memory
  gobonnie --dir /mnt/disk --size 4     another disk, and a quicker answer
  gobonnie --json | jq .results         for programs
  gobonnie --dry-run                    what would be done

As root the page cache is emptied, so that reads come from the disk and not from memory.
Flags may be written as gobonniego's, too: -size 0.5, -size=0.5, -json=true.
`;
const HELPED = { stdout: HELP, stderr: '', exitCode: 0, signal: null };

test.each(['-h', '-help', '--help'])('%s prints the help, verbatim, and nothing else', async (flag) => {
  expect(await gobonnie([flag])).toEqual(HELPED);
});

test('the help is the same on a narrow terminal and one with colours', async () => {
  const env = { ...process.env, COLUMNS: '30', FORCE_COLOR: '3' };
  expect(await gobonnie(['--help'], { env })).toEqual(HELPED);
});

test('the help is given in the midst of other flags, and nothing is measured', async () => {
  expect(await gobonnie(['--size', '1', '--help', '--runs', '3'])).toEqual(HELPED);
});

describe('what comes at once', () => {
  beforeEach(needs('strace'));

  test.each([
    ['--help', false],
    ['--version', false],
    ['--dry-run', true],
  ])('%s loads the validator: %s', async (flag, loads) => {
    const { calls, exitCode } = await traceGobonnie(['-e', 'trace=openat,open'], [flag]);
    const opened = calls.filter((call) => !call.includes('ENOENT'));
    expect(exitCode).toBe(0);
    expect(opened.some((call) => call.includes('/commander/'))).toBe(true);
    expect(opened.some((call) => call.includes('/zod/'))).toBe(loads);
    expect(opened.filter((call) => call.includes('/systeminformation/'))).toEqual([]);
  });
});
