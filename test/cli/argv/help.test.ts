import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { optionRows } from '../../../src/cli/argv/option-rows.js';
import { optionCatalogue } from '../../../src/options/catalogue.js';
import { judge } from '../../../src/options/judge.js';
import type { OptionRow } from '../../../src/options/row.js';
import { zonesCatalogue } from '../../../src/options/zones-catalogue.js';
import { makeDirectory } from '../../support/directory.js';
import { gobonnie } from '../../support/program.js';
import { gobonnieHere } from '../../support/program-here.js';
import { expectAccepted } from './examples.js';

const HELP = `Usage: gobonnie [options]
       gobonnie COMMAND --help

Measures how fast a disk is: sequential write, sequential read and IOPS.

What to measure:
  --dir <DIR>                 directory for the temporary files; created if missing, then removed
                              again (default: the system's temporary directory)
  --size <GiB>                disk space to use (default: twice the memory)
  --phases <NAMES>            what to measure, in this order, of putc, write, rewrite, getc, read,
                              seeks, iops, create, stat, delete, create-random, stat-random,
                              delete-random (default: write,read,iops)

How:
  --procs, --threads <N>      readers and writers that work at once, 1 to 1024: the queue depth; 32
                              or 64 load a fast disk (default: one for each CPU core)
  --iops-duration <S>         duration of the IOPS measurement in seconds (default: 15)
  --block-size <BYTES>        how much one sequential write or read moves, like 64k or 1m
                              (default: 64k)
  --io-size <BYTES>           how much one random write or read moves, like 512 or 4k (default: 512)
  --seed <N>                  repeat the same random data and offsets (default: random)
  --cache <MODE>              before reading: drop the page cache (root), evict the test files from
                              it, keep it, or auto: the best available (default: auto)
  --direct                    bypass the page cache (O_DIRECT)
  -y, --fsync                 sync within the timed test: the data, or the directories of small
                              files
  --one-file                  use one file for all threads
  --unique                    make every block different, so that storage cannot deduplicate them
  --verify                    stamp every block with its offset and verify every read
  --compressible <PERCENT>    share of the data that compression can remove (default: 0)
  --seeks <N>                 how many blocks the seeks phase reads, all threads together; one in
                              ten is changed and written back (default: 8192)
  --seekers <N>               how many threads seek, each in all of the data
                              (default: every thread in its own)
  --volumes <N>               how many files hold the data of each thread (default: 1)
  --sync-writes               sync after every write but those by byte, and directories after every
                              file made or deleted

How often:
  --runs <N>                  how many times to measure (default: 1)
  --seconds <S>               repeat for at least S seconds and --runs runs (default: 0)
  --until-stable <PERCENT>    repeat until each 95 % confidence interval is within PERCENT of its
                              mean, at least 3 times
  --max-runs <N>              the most runs for --until-stable (default: 30)

Small files and single bytes:
  --byte-size <BYTES>         how much putc and getc move, all threads together
                              (default: all of the data)
  --byte-mode <MODE>          putc and getc: through a buffer with a lock for each byte, unlocked,
                              or a syscall for each; what byte-wise code pays in Node
                              (default: locked)
  --files <N>                 how many files create, stat and delete deal with, all threads together
                              (default: 16384)
  --file-kind <KIND>          what they are: files, hard-links, symlinks (default: files)
  --file-size <BYTES>         the most that one of them holds (default: 0)
  --file-min-size <BYTES>     the least that one of them holds (default: 0)
  --file-block-size <BYTES>   how much of a file one call moves (default: that of --block-size)
  --directories <N>           how many directories each thread spreads its files over (default: one)

The answer:
  --label <NAME>              what the report calls this machine; the family's tables show it
                              (default: the host's name)
  --json                      print one JSON document on stdout, with gobonniego's keys
  --format <NAME>             print the result in another format, such as json, markdown, csv, junit
                              or ndjson (events as they happen); docs/formats.md has them all
  -v, --verbose               print more on stderr: the machine, the bytes moved and the time taken
  -q, --quiet                 print only errors on stderr
  --out <FILE>                also write FILE after every run, in the format of its extension, such
                              as .json (the full report), .md, .csv or .xml (JUnit); docs/formats.md
                              has them all; repeatable
  --dry-run                   print the plan and touch nothing
  --color                     colour the output (default: as FORCE_COLOR or NO_COLOR says, else at a
                              terminal)
  --no-color                  colour nothing

In a pipeline:
  --expect <CONDITION>        end with exit code 3 unless a figure is like this: 'write>=200MB/s',
                              'iops>=5000', 'read.p99<20ms'; repeatable
  --baseline <FILE>           compare with an earlier report, and end with exit code 3 when a figure
                              got worse
  --max-regression <PERCENT>  how much worse than the baseline a figure may be (default: 10%)
  --force                     compare even if the target or the options differ
  --no-github                 in GitHub Actions: write no annotations and no job summary
  --config <FILE>             read options from this file; variables such as GOBONNIE_SIZE override
                              it (default: gobonnie.config.json, or "gobonnie" in package.json, from
                              here upward)
  --no-config                 ignore config files
  --profile <NAME>            use this profile of the config file

Other:
  --stall-timeout <S>         report a stall after S seconds without progress; 0 disables
                              (default: 10)
  --version                   print the version
  -h, --help                  print this help

Commands:
  show                        print earlier results, in any format
  compare                     compare two or more results, and find regressions
  ab                          measure several directories in turn, and find which is faster
  zones                       read a disk from front to back, to plot its zones with gnuplot
  clean                       remove leftover files of killed runs from a directory
  explain                     explain a warning, an error or an exit code, and what to do about it
  completion                  print a shell script that completes command lines

As its ancestors:
  gobonniego                  gobonniego's flags and output, which are gobonnie's own
  bonniego                    bonniego's output, in MiB
  bonnie                      Bonnie's flags, tests and table
  bonnie++                    bonnie++'s flags, tests, tables and CSV
  getc-putc                   compare the ways to write and read byte by byte

Examples:
  gobonnie                                      the system's temporary directory, twice the RAM
  gobonnie --dir /mnt/disk --size 4             another disk, with a quicker answer
  gobonnie --threads 64 --direct --io-size 4k   load a fast disk
  gobonnie --runs 5 --out disk.json             confidence intervals, and a full report
  gobonnie --json | jq .results                 for programs
  gobonnie --size 1 --expect 'write>=200MB/s'   exit code 3 if it is slower
  gobonnie --dry-run                            what would be done

The page cache is emptied before the reads, so that they come from the disk: all of it as root,
otherwise only that of the test files. If memory still served part of a figure, a warning says so.
Flags may also be written as gobonniego's: -size 0.5, -size=0.5, -json=true.
`;
const HELPED = { stdout: HELP, stderr: '', exitCode: 0, signal: null };

test.each(['-h', '-help', '--help'])('%s prints the help, verbatim, and nothing else', async (flag) => {
  expect(await gobonnie([flag])).toEqual(HELPED);
});

test('no line of the help is wider than a hundred columns', () => {
  expect(HELP.split('\n').filter((line) => line.length > 100)).toEqual([]);
});

test('the help is the same on a narrow terminal and one with colours', async () => {
  const env = { ...process.env, COLUMNS: '30', FORCE_COLOR: '3' };
  expect(await gobonnie(['--help'], { env })).toEqual(HELPED);
});

test('the help is given in the midst of other flags, and nothing is measured', async () => {
  expect(await gobonnie(['--size', '1', '--help', '--runs', '3'])).toEqual(HELPED);
});

/** The commands that it lists, and '' for the program itself. */
const COMMANDS = [
  ...['', 'show', 'compare', 'ab', 'zones', 'clean', 'explain', 'completion'],
  ...['gobonniego', 'bonniego', 'bonnie', 'bonnie++', 'getc-putc'],
];

describe.each(COMMANDS)('the help of gobonnie %s', (name) => {
  const helped = async () => (await gobonnieHere([name, '--help'].filter(Boolean))).stdout;

  test('fits a terminal of a hundred columns', async () => {
    expect((await helped()).split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  test('looks like the others: usage, what it does, what it takes, examples, notes', async () => {
    expect(await helped()).toMatch(
      /^Usage: gobonnie.*?\n\n[A-Zb].*?\.\n\n.*\n {2}-h, --help +print this help\n.*\nExamples:\n {2}\S.*\n\n[-A-Zw].*\.\n$/s,
    );
  });

  test('begins each example with a command, and says what it does', async () => {
    const [, examples = ''] = /\nExamples:\n(.*?)\n\n/s.exec(await helped()) ?? [];
    for (const line of examples.split('\n')) expect(line).toMatch(/^ {2}\S.*? {3,}\S/);
  });

  test('has examples that would be accepted', async () => {
    const [, examples = ''] = /\nExamples:\n(.*?)\n\n/s.exec(await helped()) ?? [];
    for (const line of examples.split('\n')) await expectAccepted(line.replace(/^ {2}| {3,}.*$/g, ''));
  });

  test('has a line in the list of commands', () => {
    if (name !== '') expect(HELP.split('\n').filter((line) => line.startsWith(`  ${name} `))).toHaveLength(1);
  });
});

describe('the help has the default of every option that has one:', () => {
  const rows: readonly OptionRow[] = Object.values({ ...optionRows, ...zonesCatalogue });

  test.each(rows.map((row) => [row.flags.at(-1) ?? '', row] as const))('--%s', async (flag, row) => {
    const isOfZones = Object.values<OptionRow>(zonesCatalogue).includes(row);
    const help = isOfZones ? (await gobonnieHere(['zones', '--help'])).stdout : HELP;
    const paragraphs = help.split(/\n(?= {2}-|\n)/).map((lines) => lines.replace(/\s+/g, ' '));
    const [paragraph] = paragraphs.filter((lines) => new RegExp(`--${flag}(?= |,)`).test(lines.slice(0, 40)));
    expect(paragraph).toContain(row.help);
    if (row.defaultText === null) expect(paragraph).not.toContain('(default: ');
    else expect(paragraph).toContain(`(default: ${row.defaultText})`);
  });

  test('no default of the judge goes untold', () => {
    const judged = judge({});
    const told = Object.entries<OptionRow>(optionCatalogue).filter(
      ([, { defaultText }]) => defaultText !== null,
    );
    const given = Object.entries(judged).filter(([, value]) => value !== false);
    expect(given.map(([name]) => name).filter((name) => !told.some(([known]) => known === name))).toEqual([]);
  });
});

/** The files that the program loaded. */
async function filesLoaded(args: readonly string[]): Promise<readonly string[]> {
  const directory = makeDirectory();
  const { exitCode } = await gobonnie(args, { env: { ...process.env, NODE_V8_COVERAGE: directory } });
  expect(exitCode).toBe(0);
  const scripts = readdirSync(directory).flatMap((name): readonly { readonly url: string }[] => {
    return JSON.parse(readFileSync(path.join(directory, name), 'utf8')).result;
  });
  return scripts.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url));
}

/** Those whose code is in a file, by the notices at its top. */
function packagesIn(file: string): readonly string[] {
  const [, notices = ''] = /^\/\*\nThis file contains:\n(.*?)\*\//s.exec(readFileSync(file, 'utf8')) ?? [];
  return ['commander', 'zod'].filter((name) => notices.includes(`\n${name}\n`));
}

describe('gobonnie loads only what it needs:', () => {
  test.each([
    ['--version', []],
    ['-version', []],
    ['--help', ['commander']],
    ['bonnie++ -h', ['commander']],
    ['completion bash', ['commander']],
    ['__complete .--cache', ['commander']],
    ['explain', ['commander']],
    ['explain memory-served', ['commander']],
    ['--dry-run', ['commander', 'zod']],
  ])('%s loads %j', async (line, packages) => {
    const files = await filesLoaded(line.split(' '));
    expect(files.flatMap(packagesIn).toSorted()).toEqual(packages);
    expect(files.filter((file) => file.includes('systeminformation'))).toEqual([]);
    expect(files.some((file) => file.includes('explain-'))).toBe(line.startsWith('explain'));
  });

  test('a run opens few files', async () => {
    expect((await filesLoaded(['--dry-run'])).length).toBeLessThan(20);
  });
});
