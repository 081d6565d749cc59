import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { sharedDeviceLines } from '../../../src/cli/commands/ab/ab.js';
import { inspectMachine } from '../../../src/machine/machine.js';
import { type Report, reportSchema } from '../../../src/report/schema/report.js';
import { truncateStart } from '../../../src/text/width.js';
import { reportWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { runGobonnie } from '../../support/programs/program.js';
import { startGobonnieForTest } from '../../support/programs/running-program.js';
import { SMALL_FLAGS } from '../../support/programs/small-run.js';

const QUICK = [...SMALL_FLAGS, '--iops-duration', '0.02'];

test('ab prints a row per metric and a conclusion, and leaves no files in the two directories', async () => {
  const one = makeDirectory();
  const other = makeDirectory();
  const { stdout, stderr, exitCode } = await runGobonnie(['ab', one, other, ...QUICK, '--runs', '3']);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')[0]?.trim().split(/ {2,}/)).toEqual([
    truncateStart(one, 16),
    truncateStart(other, 16),
    'change',
    'range',
    'verdict',
  ]);
  const conclusion = stdout.trimEnd().split('\n').at(-1);
  for (const primaryRate of ['write', 'read', 'iops']) {
    expect(stdout).toMatch(new RegExp(`^${primaryRate} .* (better|worse|same|inconclusive)$`, 'm'));
    expect(conclusion).toMatch(new RegExp(`( in|for|,| and) .*${primaryRate}`));
  }
  expect(stdout).not.toMatch(/^write\.p99 /m);
  const runLines = stderr.match(
    /^\S+ \S+ \S+: write [\d.]+ MB\/s.*, read [\d.]+ MB\/s.*, iops [\d.]+\/s.*$/gm,
  );
  expect(runLines).toHaveLength(6);
  expect([...readdirSync(one), ...readdirSync(other)]).toEqual([]);
});

test('without --runs, ab measures each directory five times or more, and --out FILE.json is a list of reports', async () => {
  const file = path.join(makeDirectory(), 'ab.json');
  const directories = [makeDirectory(), makeDirectory()];
  const args = ['ab', '-q', ...directories, ...QUICK, '--max-runs', '6', '--out', file];
  const { stderr, exitCode } = await runInProcess(args);
  expect([stderr, exitCode]).toEqual(['', 0]);
  const reports: Report[] = JSON.parse(readFileSync(file, 'utf8'));
  const [rounds = 0] = reports.map(({ runs }) => runs.length);
  expect(rounds).toBeGreaterThanOrEqual(5);
  expect(reports.map(({ runs }) => runs.length)).toEqual([rounds, rounds]);
  expect(reports.map(({ target }) => target.directory)).toEqual(directories);
  for (const report of reports) reportSchema.parse(report);
});

test('without --runs, ab names its cost before it opens any file', async () => {
  const out = path.join(makeDirectory(), 'missing', 'ab.json');
  const args = ['ab', makeDirectory(), makeDirectory(), ...QUICK, '--max-runs', '6', '--out', out];
  const { stderr } = await runInProcess(args);
  expect(stderr).toMatch(
    /^note: 5 to 6 runs in each directory, until the results are decided: up to .* MiB written, up to .* s on a SATA SSD\ngobonnie: --out /m,
  );
});

test('--max-runs also limits the first rounds of a comparison', async () => {
  const directories = [makeDirectory(), makeDirectory()];
  const { stdout } = await runInProcess(['ab', ...directories, '--max-runs', '3', '--dry-run']);
  expect(stdout).toContain('steps, 3 runs');
  expect(stdout).toContain('  3 runs: ');
});

test('results that never become stable end after --max-runs, and every report has a warning', async () => {
  const file = path.join(makeDirectory(), 'ab.json');
  const goal = ['--runs', '2', '--until-stable', '0.001', '--max-runs', '3'];
  await runInProcess(['ab', '-q', makeDirectory(), makeDirectory(), ...QUICK, ...goal, '--out', file]);
  const reports: Report[] = JSON.parse(readFileSync(file, 'utf8'));
  expect(reports.map(({ runs }) => runs.length)).toEqual([3, 3]);
  for (const { warnings, options } of reports) {
    expect(options).toMatchObject({ runs: 2, maxRuns: 3 });
    expect(warnings.filter(({ code }) => code === 'not-stable')).toHaveLength(1);
    // Every run raises the same warnings.
    expect(new Set(warnings.map(({ code, step }) => `${code} ${step}`)).size).toBe(warnings.length);
  }
});

test('show repeats the comparison of ab in every format, from its list of reports and from its events', async () => {
  const outDirectory = makeDirectory();
  const inOut = (name: string) => path.join(outDirectory, name);
  const [page, markdown, xml] = [inOut('ab.html'), inOut('ab.md'), inOut('ab.xml')];
  const sources = [inOut('ab.json'), inOut('ab.ndjson')];
  const out = [...sources, page, markdown, xml].flatMap((file) => ['--out', file]);
  const directories = [makeDirectory(), makeDirectory()];
  const flags = [...QUICK, '--runs', '3', '--max-regression', '3%'];
  const ab = await runInProcess(['ab', '-q', ...directories, ...flags, ...out]);
  for (const file of sources) {
    const show = async (format: string) => (await runInProcess(['show', file, '--format', format])).stdout;
    expect(await show('html')).toBe(readFileSync(page, 'utf8'));
    expect(await show('markdown')).toBe(readFileSync(markdown, 'utf8'));
    expect(await show('junit')).toBe(readFileSync(xml, 'utf8'));
    for (const format of ['text', 'table'])
      expect((await show(format)).endsWith(`\n\n${ab.stdout}`)).toBe(true);
  }
  const [first, second] = readFileSync(xml, 'utf8').split('</testsuite>');
  expect(first).not.toContain('"gobonnie.baseline"');
  expect(second).toContain('"gobonnie.baseline"');
  const text = readFileSync(markdown, 'utf8');
  expect(text).toMatch(/^### gobonnie ab\n\n\| {2}\| \S+ \| \S+ \| change \| range \| verdict \|\n/);
  expect(text).toMatch(/^- .*(faster than|[Nn]o winner|difference of).* iops/m);
  const types = readFileSync(inOut('ab.ndjson'), 'utf8').match(/"type":"(start|end)"/g);
  expect(types).toEqual(['"type":"start"', '"type":"end"', '"type":"start"', '"type":"end"']);
});

test('a failed write to one --out file stops ab, and the other --out file is complete', async () => {
  const doomed = makeDirectory();
  const intactFile = path.join(makeDirectory(), 'ab.md');
  let rounds = 0;
  const onStderrLine = (line: string) => {
    if (!/: write [\d.]+ MB/.test(line)) return;
    rounds += 1;
    if (rounds === 2) rmSync(doomed, { recursive: true });
  };
  const out = ['--out', path.join(doomed, 'ab.json'), '--out', intactFile];
  const args = ['ab', makeDirectory(), makeDirectory(), ...QUICK, '--runs', '100', ...out];
  const { stderr, exitCode } = await runInProcess(args, { onStderrLine });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/\ngobonnie: --out \S+ab\.json could not be written: .*\(ENOENT\); [^\n]+\n$/);
  expect(readFileSync(intactFile, 'utf8')).toMatch(/^### gobonnie ab\n/);
});

test('ab --json prints one document', async () => {
  const directories = [makeDirectory(), makeDirectory()];
  const json = await runInProcess(['ab', '--json', '-q', ...directories, ...QUICK, '--runs', '2']);
  expect(JSON.parse(json.stdout)).toMatchObject({
    schema: 'gobonnie-ab/1',
    comparisons: [{ before: directories[0], after: directories[1], method: 'paired' }],
    winners: [{ name: 'write' }, { name: 'read' }, { name: 'iops' }],
  });
});

test('after Ctrl-C ab prints the complete rounds and leaves no files', async () => {
  const one = makeDirectory();
  const other = makeDirectory();
  const flags = ['--size', '0.01', '--block-size', '4k', '--threads', '1', '--iops-duration', '0.5'];
  const program = startGobonnieForTest(['ab', one, other, ...flags]);
  await program.untilStderr(/(iops[\s\S]*){3}/);
  program.kill('SIGINT');
  const { stdout, stderr, exitCode } = await program.exitResult;
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(/stopped by SIGINT after \d+ complete runs?; the temporary files are removed\n$/);
  expect(stdout).toMatch(/^write /m);
  expect([...readdirSync(one), ...readdirSync(other)]).toEqual([]);
});

test('ab --dry-run prints a plan of the same size for each directory', async () => {
  const one = makeDirectory();
  const other = makeDirectory('/tmp');
  const { stdout, stderr, exitCode } = await runInProcess(['ab', '--dry-run', one, other]);
  expect([stderr, exitCode]).toEqual(['', 0]);
  expect(stdout.match(/^Would measure in \S+/gm)).toEqual([
    `Would measure in ${one}`,
    `Would measure in ${other}`,
  ]);
  const sizes = [...stdout.matchAll(/ {4}write: (.*) in blocks/g)].map(([, size]) => size);
  expect(sizes).toHaveLength(2);
  expect(sizes[0]).toBe(sizes[1]);
  expect(stdout).toContain('\n  steps, 5 runs, repeated until the comparison is decided, up to 20 runs:\n');
  expect(stdout).toMatch(/\n {2}up to 20 runs: writes /);
});

test('ab rejects a missing directory, and writes no files in the other directory or for --out', async () => {
  const existing = makeDirectory();
  const outDirectory = makeDirectory();
  const missing = path.join(outDirectory, 'missing');
  const file = path.join(outDirectory, 'ab.json');
  for (const flags of [[], ['--dry-run']])
    expect(await runInProcess(['ab', existing, missing, ...QUICK, '--out', file, ...flags])).toEqual({
      stdout: '',
      stderr: `gobonnie: DIR ${missing} does not exist; pass an existing directory; perhaps its disk is not mounted\n`,
      exitCode: 2,
    });
  expect([...readdirSync(existing), ...readdirSync(outDirectory)]).toEqual([]);
});

test('ab prints one note for each device that several directories share', () => {
  const { target } = reportWith();
  const on = (directory: string, device: string | null, overrides: Partial<Report['target']>) => ({
    ...target,
    ...overrides,
    directory,
    device,
  });
  const disk = (diskstatsName: string) => ({ disk: target.disk && { ...target.disk, diskstatsName } });
  expect(
    sharedDeviceLines([
      on('/a', '/dev/sda1', disk('sda')),
      on('/b', '/dev/sda2', disk('sda')),
      on('/c', '/dev/sdb', disk('sdb')),
      on('/n', 'server:/x', { disk: null }),
      on('/o', 'server:/x', { disk: null }),
      on('/shm', 'tmpfs', { disk: null, isMemory: true }),
      on('/run', 'tmpfs', { disk: null, isMemory: true }),
      on('/p', null, { disk: null }),
      on('/q', null, { disk: null }),
      on('/c', '/dev/sdb', disk('sdb')),
    ]),
  ).toEqual([
    'note: /a and /b are on the same device (sda)',
    'note: /n and /o are on the same device (server:/x)',
  ]);
});

test('ab prints the note about a shared device before it measures', async () => {
  const directories = [makeDirectory('/tmp'), makeDirectory('/tmp')];
  const { stderr } = await runInProcess(['ab', ...directories, ...QUICK, '--dry-run']);
  const { target } = await inspectMachine('/tmp');
  const note = /^note: \S+ and \S+ are on the same device \(\S+\)\n$/;
  expect(stderr).toMatch(target.isMemory || target.device === null ? /^$/ : note);
});

test.each([
  [[], 'ab needs two or more directories; type gobonnie ab DIR_A DIR_B'],
  [['/tmp', '/proc/version'], 'DIR /proc/version is not a directory; pass the path of a directory'],
  [
    ['/tmp', '/tmp', '--format', 'junit'],
    'ab does not support --format junit; pass one of text, json, markdown',
  ],
  [['/tmp', '/tmp', '--dir', '/tmp'], 'ab has no --dir; see gobonnie ab --help'],
  [['/tmp', '/tmp', '--shared-file'], 'ab has no --shared-file; see gobonnie ab --help'],
  [['/tmp', '/tmp', '--expect', 'write>=1MB/s'], 'ab has no --expect; see gobonnie ab --help'],
])('ab %j is rejected before it measures', async (args, line) => {
  expect(await runInProcess(['ab', ...args])).toEqual({
    stdout: '',
    stderr: `gobonnie: ${line}\n`,
    exitCode: 2,
  });
});
