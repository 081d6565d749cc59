import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { pickBenchmarkOptions } from '../../../src/cli/argv/cli-catalogue.js';
import { dev } from '../../../src/cli/commands/dev.js';
import { fill } from '../../../src/cli/commands/fill.js';
import { firstRead } from '../../../src/cli/commands/first-read.js';
import { load } from '../../../src/cli/commands/load.js';
import { ping } from '../../../src/cli/commands/ping.js';
import { quick } from '../../../src/cli/commands/quick.js';
import { sweep } from '../../../src/cli/commands/sweep.js';
import { gobonnie } from '../../../src/cli/compat/gobonniego.js';
import { toCommandSide } from '../../../src/command/side.js';
import { compareSides } from '../../../src/compare/comparison.js';
import { toComparisonSide } from '../../../src/compare/side.js';
import { compareInTurn, findWinners } from '../../../src/compare/winners.js';
import { rateTexts } from '../../../src/format/human/step-table.js';
import { STYLE, STYLE_HASH } from '../../../src/format/page/document.js';
import { htmlPage } from '../../../src/format/page/page.js';
import { reproductionCommand } from '../../../src/format/page/reproduction.js';
import { svgPicture } from '../../../src/format/page/svg-card.js';
import { validateOptions } from '../../../src/options/validate-options.js';
import { plan } from '../../../src/plan/plan.js';
import { formatAmount } from '../../../src/report/amount.js';
import { groupByStep, toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { emptyReport } from '../../../src/run/empty-report.js';
import { commandComparison, commandSide } from '../../support/data/command-fixtures.js';
import { machineWith, measurementWith, reportWith, runWith } from '../../support/data/fixtures.js';
import { stepsReport } from '../../support/data/step-reports.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';
import { pages } from './pages.js';
import { wavyReport } from './wavy.js';

test('results of the same directory are numbered, and without a common metric are not compared', () => {
  const results = ['write', 'read'].map((step) =>
    toResults(
      reportWith({
        runs: [runWith({ measurements: [measurementWith({ step })] })],
        outcome: { state: 'running' },
      }),
    ),
  );
  const page = htmlPage(results);
  expect(page).toContain('<h1>2 results</h1>');
  expect(page).toContain('<summary>/mnt/disk (2), 1 note</summary>');
  expect(page).not.toContain('class="verdict');
});

test('a page of 100 runs of three phases has fewer than 350,000 bytes', () => {
  const levels = Array.from({ length: 100 }, (_, run) => 1 + (run % 10) / 50);
  const page = htmlPage([toResults(wavyReport(5, levels))]);
  expect(Buffer.byteLength(page)).toBeLessThan(350_000);
  expect(page).toContain('<polyline ');
});

test("the page's policy allows its own style by its current hash", () => {
  expect(STYLE_HASH).toBe(`sha256-${createHash('sha256').update(STYLE).digest('base64')}`);
});

/** Returns the text of the parts of a page with this class. */
function textsOf(page: string, className: string): readonly string[] {
  const parts = page.matchAll(new RegExp(`<(\\w+) class="${className}">(.*?)</\\1>`, 'g'));
  return [...parts].map(([, , content = '']) => content.replace(/<[^>]*>/g, ''));
}

/** Returns the cells of each row of the first table after this text. */
function tableAfter(page: string, text: string): readonly (readonly string[])[] {
  const [table = ''] = page.slice(page.indexOf(text)).split('</table>');
  return table
    .split('<tr>')
    .slice(1)
    .map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t/g)].map(([, cell = '']) => cell));
}

test('a page lists the rate of each run', () => {
  const results = toResults(wavyReport(1, [1, 30, 0.02]));
  const listed = tableAfter(htmlPage([results]), '<summary>Every run')
    .slice(1)
    .map(([, rate]) => rate);
  const rows = groupByStep(results.runs);
  expect(listed).toEqual(rows.flatMap((row) => row.map((one) => rateTexts([one]).mean)));
});

test('a page compares from the first to the second result, with the means and the change of the comparison', () => {
  const [before, after] = [
    [1, 1.2, 1.5],
    [1, 0.7, 0.8],
  ].map((levels, at) => ({ ...toResults(wavyReport(at, levels)), name: `${at}.json` }));
  if (!before || !after) throw new Error('there are two results');
  const comparison = compareSides(toComparisonSide('0.json', [before]), toComparisonSide('1.json', [after]));
  const page = htmlPage([before, after], { comparisons: [comparison] });
  const [write] = comparison.changes;
  if (!write) throw new Error('the first change is the write');
  const [from, to] = [write.before.mean, write.after.mean].map((mean) => formatAmount(mean, write.unit));
  const percent = `-${Math.abs(write.changePercent ?? 0).toFixed(1)} %`;
  expect(page).toContain(`write: from ${from} (0.json) to ${to} (1.json), ${percent}`);
  expect(page).toContain(`<span class="n">${from}</span> → <span class="n">${to}</span>`);
  // A card would show another mean.
  expect(page).not.toContain('class="card"');
  expect(page.indexOf('class="verdict')).toBeLessThan(page.indexOf('Over time'));
});

test('a result that is not compared with the first one has its cards', () => {
  const reads = reportWith({ runs: [runWith({ measurements: [measurementWith({ step: 'rewrite' })] })] });
  const page = htmlPage([wavyReport(1, [1]), wavyReport(2, [2]), reads].map(toResults));
  expect(page).toContain('<h2>/mnt/disk (1) → /mnt/disk (2)</h2>');
  expect(page.match(/class="card"/g)).toHaveLength(1);
});

test('the page of ab begins with the winners', () => {
  const results = [1, 2].map((level) =>
    toResults(wavyReport(level, [level, level * 1.01, level * 1.02], { label: `${level}` })),
  );
  const sides = results.map((one, at) => toComparisonSide(`/${at}`, [one]));
  const [first, second] = sides;
  if (!first || !second) throw new Error('there are two sides');
  const comparisons = [compareSides(first, second, { method: 'paired' })];
  const page = htmlPage(results, { comparisons, winners: findWinners(sides) });
  expect(page).toMatch(
    /<h1>\/<span class="n">1<\/span> is <span class="n">[\d.]+<\/span> ± .* times faster than /,
  );
});

test('the headline has no rate of a step with pauses, and the page has the reads and writes of a mix', () => {
  const { latencyNs } = measurementWith();
  const paced = { slowest: [], latencyNs };
  const step = { name: 'paced', mixPercent: 75, intervalSeconds: 0.1 };
  const pacedStep = { step, rates: [4096 * 10], facts: paced };
  const page = htmlPage([toResults(stepsReport([pacedStep]))]);
  expect(page.replaceAll(/<[^>]*>/g, '')).toMatch(/paced p50 59\.9 µs.* Lower is better\./);
  expect(page).toContain('<summary>Reads, writes and syncs</summary>');
  const picture = svgPicture([toResults(stepsReport([pacedStep]))]);
  expect(picture).toContain(
    '>Lower latencies are better. Large: p50. Sparklines: longest latency over time, from 0.<',
  );
  const both = stepsReport([pacedStep, { step: { name: 'fast', mixPercent: 0 }, rates: [4096 * 20_000] }]);
  expect(htmlPage([toResults(both)])).toMatch(/<title>[^<]* does 20000 random operations a second<\/title>/);
});

test('the headline of a command ends with its sentence, not at a semicolon of the command', () => {
  const sides = ['sh -c "a; b"', 'make'].map((name) => commandSide('/app', [1], { name }));
  const document = compareInTurn(sides.map(toCommandSide), null, 'final');
  const page = htmlPage([], { ...document, command: commandComparison(sides) });
  expect(page).toMatch(/<title>[^<]* for sh -c &quot;a; b&quot;, 1 s [^<]*: use --runs 5<\/title>/);
  expect(textsOf(page, 'lead')[0]).toMatch(/^Before each run/);
});

test('the page of a job names its ranks and hosts', () => {
  const page = pages['a job of five hosts'] ?? '';
  expect(textsOf(page, 'lead')[0]).toContain('10 ranks on 5 hosts');
  expect(page).toContain('<dt>ranks</dt><dd>10</dd>');
  expect(page).toMatch(/<p>On each of 10 ranks:<\/p><pre>gobonnie /);
});

test('a cliff is marked in the chart', () => {
  expect(pages['a cliff']).toMatch(/<line x1="25%" x2="25%" [^>]*\/><text [^>]*>cliff</);
});

test('a cached read has a card that says so, and the timed rate beside it', () => {
  const device = { readBytes: 0, writtenBytes: 0, dirtyBytes: 0, share: 0.2, reason: null };
  const cached = measurementWith({ step: 'read', readBytes: 1000, writtenBytes: 0, device });
  const runs = [runWith({ measurements: [cached] })];
  const page = htmlPage([toResults(reportWith({ runs }))]);
  expect(textsOf(page, 'big')).toEqual(['unknown']);
  expect(textsOf(page, 'chip warn')).toEqual(['only 20.0 % from the device']);
  expect(page).toContain('<div class="note">1074 MB/s as timed</div>');
});

test('a write that did not reach the device has a card that says so', () => {
  const device = { readBytes: 0, writtenBytes: 0, dirtyBytes: 0, share: 0.2, reason: null };
  const runs = [runWith({ measurements: [measurementWith({ step: 'write', readBytes: 0, device })] })];
  const page = htmlPage([toResults(reportWith({ runs }))]);
  expect(textsOf(page, 'chip warn')).toEqual(['only 20.0 % reached the device']);
});

test('a picture has the brand, the date, the target and the better direction, and neither scripts nor links', () => {
  const picture = svgPicture([toResults(wavyReport(1, [1, 1.02, 1.04]))]);
  for (const text of [
    'gobonnie ',
    '2018-04-12',
    '/mnt/disk, ext4 on /dev/vda',
    'Higher rates are better',
    '±',
  ])
    expect(picture).toContain(text);
  expect(picture).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 720 \d+" width="720"/);
  expect(picture).not.toMatch(/<script|href|url\(| on\w+=/);
});

const COMMANDS: Readonly<Record<string, { readonly parse: typeof gobonnie.parse }>> = {
  quick,
  load,
  'first-read': firstRead,
  dev,
  fill,
  ping,
  sweep,
};

/** Returns the words of a command after `npx gobonnie`. */
function splitWords(command: string): readonly string[] {
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word).slice(2);
}

/** Returns the report of a command, before its first measurement. */
function reportOf(command: string): Report {
  const words = splitWords(command);
  const own = COMMANDS[words[0] ?? ''];
  const request = own ? own.parse(words.slice(1)) : gobonnie.parse(words);
  if (request.type !== 'benchmark') throw new Error('the command measures nothing');
  const report = emptyReport(
    plan(
      validateOptions({ ...request.defaults, ...pickBenchmarkOptions(request.rawOptions) }),
      machineWith({ sample: [{ fileIndex: 0, file: '/srv/a', offsetBytes: 0, lengthBytes: 2 ** 20 }] }),
    ),
    new Date(),
  );
  const expectations = [request.rawOptions.expect ?? []]
    .flat()
    .map((condition) => ({ condition: String(condition) }));
  if (request.command) report.command = request.command;
  return { ...report, expectations: expectations as Report['expectations'] };
}

test.each([
  "--size 0.3 --dir '/mnt/with space' --threads 3 --runs 5 --direct --io-size 4096 --cache keep",
  '--size 1 --unique --verify --compressible 50 --until-stable 5 --max-runs 9 --one-file',
  '--size 1 --phases write,rewrite,seeks --seeks 99 --seek-threads 3 --data-files 2 --no-fsync --fsync-per-write',
  '--phases create,stat --files 64 --file-size 4096 --file-min-size 100 --directories 3',
  '--size 1 --engine uring --depth 8 --step random,engine=threads,depth=1 --step random --step read,depth=2',
  '--size 1 --engine threads --threads 2 --depth 8 --seek-threads 3 --phases write,seeks',
  '--size 1 --step random,depth=32 --step read,engine=uring',
  '--size 1 --step commit-etcd --step open,io-size=16k,direct --step random,seconds=2 --beside write,direct',
  'quick --preset crystaldiskmark',
  "quick --preset yabs --size 0.5 --runs 3 --unique --expect 'rnd4k.read>=1'",
  'quick --preset etcd',
  "load --runs 2 --expect 'commit.beside-writer.sync.p99<10ms'",
  'load --preset etcd',
  "first-read --iops-duration 4 . '/mnt/with space'",
  '--step first-read,paths=.,block-size=64k --step second-read',
  'dev --packages 20 --runs 3',
  'fill --size 1 --pause 3 --yes',
  'quick --preset etcd --runs 1 --cache keep',
  'ping --count 3 --interval 0.1 --write',
  "sweep --depth 1,4 --io-size 4k,64k --mix 0 --latency 'p99<2ms' --iops-duration 2 --runs 2",
])('the command of a report of %s repeats its measurement', async (flags) => {
  const report = reportOf(`npx gobonnie ${flags} --seed 7`);
  const command = reproductionCommand(report);
  const repeated = reportOf(command);
  expect(repeated.options).toEqual(report.options);
  expect(repeated.expectations).toEqual(report.expectations);
  expect(repeated.command).toEqual(report.command);
});

test.each([
  'load',
  'load --preset etcd',
  'first-read .',
  'fill --size 0.1',
  'ping --count 3',
  'sweep --depth 1,4',
  '--size 0.1 --step commit-etcd --step open --step random,seconds=2,direct=false --beside write',
])('the program accepts the command of a report of %s', async (flags) => {
  const report = reportOf(`npx gobonnie ${flags} --seed 7`);
  const target = { ...report.target, directory: makeDirectory() };
  const words = splitWords(reproductionCommand({ ...report, target }));
  const { stderr, exitCode } = await runInProcess([...words, '--dry-run']);
  expect(exitCode, stderr).toBe(0);
});

test('the command of quick names the preset instead of its steps', () => {
  const report = reportOf(`npx gobonnie quick --preset yabs --seed 7`);
  const { directory } = report.target;
  expect(reproductionCommand(report)).toBe(`npx gobonnie quick --dir ${directory} --preset yabs --seed 7`);
});

test('the command omits options with default values', () => {
  const report = reportOf('npx gobonnie --seed 7 --size 1');
  expect(reproductionCommand(report)).toBe(
    `npx gobonnie --dir ${report.target.directory} --size 1 --threads ${report.options.threads} --seed 7`,
  );
});
