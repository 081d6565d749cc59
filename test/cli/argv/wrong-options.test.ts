import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FAST_DIRECTORY, makeDirectory, makePublicDirectory } from '../../support/disks/directory.js';
import { mountTmpfs } from '../../support/disks/mounts.js';
import { type ProcessOutput, runInProcess } from '../../support/programs/in-process.js';
import { type ProgramOptions, runGobonnie } from '../../support/programs/program.js';
import { NOBODY, requireNobody, requireTools } from '../../support/tools.js';

const directory = mkdtempSync(path.join(FAST_DIRECTORY, 'test-'));
afterAll(() => rmSync(directory, { recursive: true }));
afterEach(() => expect(readdirSync(directory)).toEqual([]));

/** Options of a quick run, in case gobonnie accepts the invalid option after them. */
const QUICK = ['--dir', directory, '--size', '0.01', '--iops-duration', '0.1'];

/** Expects one line on stderr that begins with these words, nothing on stdout, and exit code 2. */
async function expectRejection(args: readonly string[], words: string) {
  expectLine(await runInProcess([...QUICK, ...args]), words);
}

/** Expects the same of the real program, run by another user. */
async function expectRejectionAs(options: ProgramOptions, args: readonly string[], words: string) {
  expectLine(await runGobonnie([...QUICK, ...args], options), words);
}

function expectLine({ stdout, stderr, exitCode }: ProcessOutput, words: string): void {
  expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the line must not contain control characters.
  expect(stderr).toMatch(/^gobonnie: [^\x00-\x1f\x7f]+; [^\x00-\x1f\x7f]+\n$/);
  expect(stderr.slice('gobonnie: '.length)).toSatisfy((line: string) => line.startsWith(words), words);
}

describe.concurrent('a contradiction', () => {
  test('between --size and the free space is rejected with a size that fits', async () => {
    await expectRejection(['--size', '500000'], '--size 500000 (500000 GiB) does not fit in ');
    const { stderr } = await runInProcess(['--dir', directory, '--size', '500000']);
    expect(stderr).toContain(` in ${directory}, which has `);
    expect(stderr).toMatch(/ free.*; .*pass at most --size [\w.]+ or another --dir\n$/);
  });

  test('between --size and --threads is rejected with a sufficient --size', async () => {
    const args = ['--dir', directory, '--threads', '8', '--dry-run'];
    await expectRejection([...args, '--size', '0.0001'], '--size 0.0001 is less than one block of 64 KiB ');
    const { stderr } = await runInProcess([...args, '--size', '0.0001']);
    const [, suggestedSize = ''] = /pass [\w ]+ --size (1M), or fewer --threads/.exec(stderr) ?? [];
    expect((await runInProcess([...args, '--size', suggestedSize])).exitCode).toBe(0);
  });
});

const BASELINE = 'add --baseline before.json';
const CONTRADICTION = 'contradict each other; use only one of them';

test.each([
  [['--max-regression', '5%'], `--max-regression 5% has no effect without --baseline; ${BASELINE}`],
  [['quick', '--strict'], `--strict has no effect without --baseline; ${BASELINE}`],
  ...[['--barrier-timeout', '5'], ['--read-own-files']].map((job): [string[], string] => [
    job,
    `${job.join(' ')} has no effect without a job; start gobonnie with mpiexec or srun, or add --rendezvous /shared`,
  ]),
  [['--rank', '3'], `--rank 3 has no effect without --rendezvous; add --rendezvous /shared`],
  [
    ['--max-runs', '5'],
    '--max-runs 5 has no effect without --until-stable; add --until-stable 5 or --baseline before.json',
  ],
  [['--seeks', '5'], '--seeks 5 has no effect without a phase such as seeks; add that phase to --phases'],
  [
    ['--phases', 'write', '--iops-duration', '3'],
    '--iops-duration 3 has no effect without a phase such as iops; add that phase to --phases',
  ],
  [
    ['--phases', 'create', '--size', '1'],
    '--size 1 has no effect without a phase such as write; add that phase to --phases',
  ],
  [
    ['gobonniego', '-files', '9'],
    '--files 9 has no effect without a phase such as create; add that phase to --phases',
  ],
  [['--file-block-size', '4k'], '--file-block-size 4k has no effect without --file-size; add --file-size 4k'],
  [['--step', 'read', '--one-file'], '--one-file has no effect on the steps; leave it out'],
  [['--until-stable', '--format', 'csv'], '--until-stable has no value; for example, --until-stable 5'],
  [['--step'], '--step has no value; for example, --step random,io-size=4k,threads=32,mix=100,seconds=5'],
  [['--step', 'random,mix=0', '--verify'], '--verify has no effect on the steps; leave it out'],
  [['quick', '--preset', 'etcd', '--cache', 'keep'], '--cache keep has no effect on the steps; leave it out'],
  [['sweep', '--from', 'points.csv', '-q'], `--from points.csv and --quiet ${CONTRADICTION}`],
  [['ab', '.', '.', '--strict'], '--strict has no effect without --max-regression; add --max-regression 5%'],
  [
    ['ab', '.', '.', '--allow-cached', '--', 'true'],
    '--allow-cached does not apply to a command; leave it out',
  ],
  [['ab', '.', '.', '--warm', '--cache', 'drop', '--', 'true'], `--warm and --cache drop ${CONTRADICTION}`],
  [['ab', '.', '.', '--no-copy', '--exclude', 'x', '--', 'true'], `--no-copy and --exclude ${CONTRADICTION}`],
  [['sweep', '--json', '--format', 'csv'], `--json and --format csv ${CONTRADICTION}`],
  [
    ['sweep', '--latency', 'p99<2ms', '--format', 'csv'],
    `--latency "p99<2ms" and --format csv ${CONTRADICTION}`,
  ],
  [['sweep', '--sequential', '--mix', '50'], `--sequential and --mix 50 ${CONTRADICTION}`],
  [['sweep', '--from', 'points.csv', '--out', 'x.json'], `--from points.csv and --out ${CONTRADICTION}`],
])('%j is rejected, because one of the flags would have no effect', async (args, line) => {
  expect(await runInProcess(args)).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode: 2 });
});

test.each([
  [['--until-stable', '5'], 'a job needs a fixed number of runs, which --until-stable 5 does not set; '],
  [
    ['--step', 'read', '--beside', 'write'],
    'steps beside others cannot run in a job; start it on each host on its own',
  ],
])('%j in a job is rejected before the ranks wait for each other', async (args, words) => {
  const job = ['--rendezvous', directory, '--ranks', '2', '--rank', '0', '--barrier-timeout', '1'];
  await expectRejection([...job, ...args], words);
});

test.each([
  [
    ['quick', '--preset', 'sqlite'],
    '--preset sqlite is a preset of load; type gobonnie load --preset sqlite',
  ],
  [['load', '--preset', 'yabs'], '--preset yabs is a preset of quick; type gobonnie quick --preset yabs'],
  [
    ['--expect', 'write.slowest>=1MB/s'],
    '--expect "write.slowest>=1MB/s": only a job has a slowest host; expect write, the rate',
  ],
])('%j is rejected with what works instead', async (args, line) => {
  expect(await runInProcess(args)).toEqual({ stdout: '', stderr: `gobonnie: ${line}\n`, exitCode: 2 });
});

test('a config file may set options that have an effect only with another option or in other phases', async () => {
  const dir = makeDirectory();
  const config = path.join(dir, 'config.json');
  writeFileSync(config, '{ "strict": true, "maxRegression": 5, "maxRuns": 9, "files": 9, "seekThreads": 2 }');
  const { exitCode } = await runInProcess(['--dir', dir, '--config', config, '--size', '1M', '--dry-run']);
  expect(exitCode).toBe(0);
});

test('an --out file that is not writable is rejected before the run, and the directory is unchanged', async () => {
  const dir = makeDirectory();
  const out = path.join(dir, 'directory.json');
  mkdirSync(out);
  const args = ['--out', path.join(dir, 'good.json'), '--out', out];
  await expectRejection(args, `--out ${out} cannot be written: it is not a regular file; `);
  expect(readdirSync(dir)).toEqual(['directory.json']);
});

test('--cache drop is rejected unless the user is root', async (context) => {
  requireNobody(context);
  const args = ['--dir', makePublicDirectory(), '--cache', 'drop'];
  const words = '--cache drop needs root; pass --cache auto, which uses the best available method';
  await expectRejectionAs(NOBODY, args, words);
});

test.each([
  ['a file', (at: string) => writeFileSync(at, 'mine'), '', ' is not a directory; '],
  [
    'missing',
    () => {},
    '/below',
    ' does not exist; pass an existing directory; perhaps its disk is not mounted',
  ],
  ['a link to nothing', (at: string) => symlinkSync('nowhere', at), '', ' does not exist; '],
  ['below a file', (at: string) => writeFileSync(at, 'mine'), '/below', ' cannot be used: '],
  ['longer than a name may be', () => {}, 'x'.repeat(256), ' cannot be used: name too long '],
])('a --dir that is not a directory, but %s, is rejected and unchanged', async (_, prepare, below, words) => {
  const dir = makeDirectory();
  prepare(path.join(dir, 'it'));
  const before = readdirSync(dir);
  const target = path.join(dir, 'it') + below;
  await expectRejection(['--dir', target], `--dir ${target}${words}`);
  expect(readdirSync(dir)).toEqual(before);
});

describe('a --dir that is', () => {
  beforeEach(requireNobody);

  test('read-only is rejected', async () => {
    const dir = makeDirectory();
    chmodSync(dir, 0o755);
    const words = `--dir ${dir} cannot be written to: permission denied (EACCES); `;
    await expectRejectionAs(NOBODY, ['--dir', dir], words);
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe('on a small filesystem', () => {
  beforeEach(requireTools('root', 'mount'));

  test('the default size is reduced to fit, with a warning', async () => {
    const dir = mountTmpfs('size=64m');
    const args = ['--json', '--iops-duration', '0.1', '--dir', dir];
    const { stdout, stderr, exitCode } = await runInProcess(args);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/ warning: .* has no room for .*, the default; using 60.8 MiB instead/);
    expect(JSON.parse(stdout).results[0].write_bytes).toBeLessThan(0.95 * 64 * 1024 ** 2);
    expect(readdirSync(dir)).toEqual([]);
  });

  test('the --size that the error suggests fits', async () => {
    const args = ['--iops-duration', '0.1', '--dir', mountTmpfs('size=64m'), '--size'];
    const { stderr } = await runInProcess([...args, '0.0625']);
    const [, suggestedSize = ''] =
      /^gobonnie: --size 0.0625 \(64 MiB\) does not fit .*pass at most --size (60M)/.exec(stderr) ?? [];
    expect((await runInProcess([...args, suggestedSize])).exitCode).toBe(0);
  });

  test('that is full, --dir is rejected', async () => {
    const dir = mountTmpfs('size=1m');
    writeFileSync(path.join(dir, 'filler'), new Uint8Array(1024 ** 2));
    await expectRejection(['--dir', dir], `${dir} has 0 bytes free, but 51.2 KiB must stay free; `);
  });
});
