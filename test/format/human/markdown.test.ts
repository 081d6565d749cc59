import { beforeEach, expect, test } from 'vitest';
import { markdownText } from '../../../src/format/human/markdown.js';
import { svgPicture } from '../../../src/format/page/svg-card.js';
import { toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { sanitize } from '../../../src/text/escape.js';
import { hasControlCharacters } from '../../faults/output-violations.js';
import { measurementWith, runWith } from '../../support/data/fixtures.js';
import { foreignRunWith } from '../../support/data/foreign-runs.js';
import { roundTripUtf8 } from '../../support/data/hostile.js';
import { stepsReport } from '../../support/data/step-reports.js';
import { pipeThrough } from '../../support/programs/pipe-through.js';
import { requireTools } from '../../support/tools.js';
import { COMPLETED, hostileReports } from '../reports.js';

beforeEach(requireTools('cmark-gfm'));

const ALL_OF_GITHUBS = ['table', 'strikethrough', 'autolink', 'tasklist', 'footnotes'];

/** Renders Markdown as GitHub does. HTML in it would come through. */
function renderPage(markdown: string): string {
  return pipeThrough('cmark-gfm', ['--unsafe', ...ALL_OF_GITHUBS.flatMap((name) => ['-e', name])], markdown);
}

function tableRows(page: string): readonly (readonly string[])[] {
  return [...page.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd](?: align="\w+")?>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => cell),
  );
}

function listItems(page: string, tag: string): readonly string[] {
  return [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, text = '']) => text);
}

const text = (report: Report) => markdownText([toResults(report)]);

test('a list of steps says which of them bypassed the page cache', () => {
  const step = { name: 'a', threads: 1, phase: 'read' as const };
  const report = stepsReport([
    { step, rates: [1e6] },
    { step: { ...step, name: 'b' }, rates: [1e6] },
  ]);
  const runs = report.runs.map((run) => ({
    ...run,
    measurements: run.measurements.map((one) => ({ ...one, direct: one.step === 'a' })),
  }));
  expect(text({ ...report, runs })).toContain(', access direct in a, seed ');
  expect(text({ ...report, runs })).not.toContain(', threads ');
});

test('the reads and writes of a mix have rows below its row, with their rates', () => {
  const report = stepsReport([{ step: { name: 'mix', mixPercent: 75 }, rates: [4096 * 1000] }]);
  const rows = tableRows(renderPage(text(report))).map(([name, rate]) => [name?.trim(), rate]);
  expect(rows.slice(1)).toEqual([
    ['mix', '1000/s'],
    ['reads', '750/s'],
    ['writes', '250/s'],
  ]);
});

test('a single run is a table of its results', () => {
  const page = renderPage(text(COMPLETED));
  expect(tableRows(page)).toEqual([
    ['', 'rate', 'p50', 'p99', 'max', 'share', 'cpu'],
    ['Sequential Write', '1074 MB/s', '59.9 µs', '59.9 µs', '121 µs', '100.0 %', '75.0 %'],
    ['Sequential Read', '2147 MB/s', '59.9 µs', '59.9 µs', '121 µs', '100.0 %', '75.0 %'],
    ['IOPS', '20000/s', '59.9 µs', '59.9 µs', '121 µs', '100.0 %', '75.0 %'],
  ]);
  expect(listItems(page, 'h3')).toEqual(['goldhost: gobonnie 1.0.0']);
  expect(listItems(page, 'p')).toEqual([
    'started 2018-04-12T13:46:00.274Z, directory /mnt/disk, filesystem ext4, device /dev/vda, system Linux 6.1.0, ' +
      'processor Common Processor, cores 4, memory 16 GiB, complete runs 1, threads 4, size 512 MiB, access buffered, seed 42',
  ]);
  expect(listItems(page, 'li')).toEqual([]);
});

test('the verdicts are above the table, and the warnings below', () => {
  const bound = { condition: 'write>=2GB/s', unit: 'bytesPerSecond', bound: 2e9 } as const;
  const expectations = [
    { ...bound, actual: 1.5e9, passed: false },
    { ...bound, actual: 3e9, passed: true, worst: { actual: 1.2e9, runs: 5 } },
  ];
  const warning = { code: 'cliff', step: 'write', message: 'it fell', hint: 'look' } as const;
  const page = renderPage(text({ ...COMPLETED, expectations, warnings: [warning] }));
  expect(listItems(page, 'li')).toEqual([
    '✗ write&gt;=2GB/s: 1500 MB/s (25.0 % too low)',
    '✓ write&gt;=2GB/s: 3000 MB/s on average, but 1200 MB/s in the worst of 5 runs',
    'warning: Sequential Write: it fell; look',
  ]);
  const places = ['✗', '<table', 'warning:'].map((part) => page.indexOf(part));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

test('a list of steps has the verdict on the disk above its table', () => {
  const report = stepsReport([{ step: { name: 'rnd' }, rates: [4e6] }], { outcome: { state: 'completed' } });
  expect(listItems(renderPage(text(report)), 'li')).toEqual([
    'Random reads as fast as on an SSD, 200 times as fast as on a hard disk.',
  ]);
  expect(svgPicture([toResults(report)])).toContain(
    '>Random reads as fast as on an SSD, 200 times as fast as on a hard disk.<',
  );
});

test('an incomplete run is in the table only if no run is complete; without runs there is no table', () => {
  const slow = measurementWith({ bytesPerSecond: 5e6 });
  const stopped = runWith({ state: 'incomplete', measurements: [slow] });
  const rowsWith = (runs: Report['runs']) => tableRows(renderPage(text({ ...COMPLETED, runs })));
  expect(rowsWith([stopped])[1]?.slice(0, 2)).toEqual(['Sequential Write', '5 MB/s']);
  expect(rowsWith([runWith(), stopped])[1]?.slice(0, 2)).toEqual(['Sequential Write', '1074 MB/s']);
  expect(rowsWith([])).toEqual([]);
});

test('a rate in RAM is the timed rate, and a cached rate is unknown', () => {
  const { device } = measurementWith();
  const cached = measurementWith({ readBytes: 1, device: { ...device, share: 0.1 } });
  const rateWith = (isMemory: boolean) => {
    const report = { ...COMPLETED, target: { ...COMPLETED.target, isMemory } };
    return tableRows(renderPage(text({ ...report, runs: [runWith({ measurements: [cached] })] })))[1]?.[1];
  };
  expect([rateWith(true), rateWith(false)]).toEqual(['1074 MB/s', 'unknown']);
});

test('another program has a table of its results; a phase that was too short says so', () => {
  const run = foreignRunWith({
    program: { name: 'bonnie++', version: null },
    label: 'silo4',
    values: { read: { rate: 5e8 }, stat: { rate: null } },
  });
  const page = renderPage(markdownText([{ report: null, runs: [run] }]));
  expect(listItems(page, 'h3')).toEqual(['silo4: bonnie++']);
  expect(tableRows(page)).toEqual([
    ['', 'rate'],
    ['Sequential Read', '500 MB/s'],
    ['Sequential Stat', 'too quick'],
  ]);
});

test('names with special characters are plain text on the page', () => {
  const entities: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot' };
  const escaped = (name: string) =>
    roundTripUtf8(sanitize(name)).replace(/[&<>"]/g, (char) => `&${entities[char]};`);
  const reports = hostileReports(25);
  const markdown = markdownText(reports.map(toResults));
  expect(hasControlCharacters(markdown)).toBe(false);
  const page = renderPage(markdown);
  const tags = new Set([...page.matchAll(/<[^>]*>/g)].map(([tag]) => tag.replace(/^<\/?|[ >].*$/g, '')));
  expect([...tags].filter((tag) => !/^(?:h3|p|ul|li|table|thead|tbody|tr|th|td)$/.test(tag))).toEqual([]);
  const rows = tableRows(page).filter(([, rate]) => rate !== 'rate');
  expect(rows.map(([title]) => title)).toEqual(
    reports.flatMap(({ runs }) => runs[0]?.measurements.map(({ title }) => escaped(title).trim())),
  );
  expect(listItems(page, 'h3')).toEqual(
    reports.map(({ label, version }) => escaped(`${label}: gobonnie ${version}`).trim()),
  );
  expect(listItems(page, 'li').filter((item) => /^[✓✗]/.test(item))).toEqual(
    reports.flatMap(({ expectations = [] }) => {
      const [met, unmet] = expectations.map(({ condition }) => escaped(condition));
      return [`✓ ${met}: 0.000002 MB/s`, `✗ ${unmet}: unknown`];
    }),
  );
});

test('rates that vary too much for an interval have the lowest and the highest instead', () => {
  const runs = [50e6, 900e6, 200e6].map((bytesPerSecond) =>
    runWith({ measurements: [measurementWith({ bytesPerSecond })] }),
  );
  expect(tableRows(renderPage(text({ ...COMPLETED, runs })))[1]?.[2]).toBe('varied: 50 MB/s to 900 MB/s');
});
