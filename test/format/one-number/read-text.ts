import { logLines } from '../../../src/cli/output/log-format.js';
import { compareSides } from '../../../src/compare/comparison.js';
import { toComparisonSide } from '../../../src/compare/side.js';
import { compareInTurn } from '../../../src/compare/winners.js';
import {
  type ComparisonDocument,
  createComparisonFormats,
} from '../../../src/format/human/comparison-format.js';
import { PLAIN_SCREEN } from '../../../src/format/human/screen.js';
import { sweepText } from '../../../src/format/human/sweep-text.js';
import { htmlPage } from '../../../src/format/page/page.js';
import { toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { measuredPoints, quotaFactsOf } from '../../../src/sweep/measured-points.js';
import { analyzeSweep } from '../../../src/sweep/sweep-result.js';
import { allMeasurements, figuresInRow, nameMetric, plain, render, stepOf } from './cells.js';
import type { Figure } from './expected.js';

/** Reads tables with columns that are aligned right, below a first column of names. */
export function readTables(report: Report): readonly Figure[] {
  let ends: readonly { readonly head: string; readonly end: number }[] = [];
  let step = '';
  return render('table', report)
    .split('\n')
    .flatMap((line) => {
      const heads = [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: head, index }) => ({ head, index }));
      if (heads.some(({ head }) => head === 'p99')) {
        // A table of hosts has the name of its step in the corner.
        step = (heads[0]?.index ?? 0) <= 2 ? `${heads.shift()?.head} on ` : '';
        ends = heads.map(({ head, index }) => ({ head, end: index + head.length }));
        return [];
      }
      if (line.trim() === '') ends = [];
      const [first, ...others] = ends;
      const [name = '', cell = ''] = line.slice(0, first?.end).trim().split(/ {2,}/);
      if (!first) return [];
      const cells = [cell, ...others.map(({ end }, at) => line.slice(ends[at]?.end, end).trim())];
      const isPart = line.startsWith('    ');
      if (!step.endsWith(' on ') && !isPart) step = name;
      const subject = step.endsWith(' on ') || isPart ? `${step.trim()} ${name}` : name;
      return figuresInRow(
        subject,
        ends.map(({ head }) => head),
        cells,
      );
    });
}

/** Reads the rates of a job until its first and its last rank is done. */
export function readDoneLines(report: Report): readonly Figure[] {
  const text = render('table', report);
  return [...text.matchAll(/^ +(\S+): (\S.*) first done \((.*)\); (\S.*) last done \((.*)\)$/gm)].flatMap(
    ([, step = '', first = '', firstTime = '', last = '', lastTime = '']): readonly Figure[] => [
      [`${step} first done rate`, first],
      [`${step} first done`, firstTime],
      [`${step} timed`, last],
      [`${step} seconds`, lastTime],
    ],
  );
}

export function readMarkdown(report: Report): readonly Figure[] {
  const rows = render('markdown', report)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  const [heads = [], , ...others] = rows.map((row) => row.split('|').slice(1, -1).map(plain));
  return others.flatMap((cells) => figuresInRow(stepOf(report, cells[0] ?? ''), heads, cells));
}

/** Reads the cards and the tables of a page: of steps, of percentiles, of hosts, and of points at several depths. */
export function readPage(report: Report): readonly Figure[] {
  const page = render('html', report);
  const cards = [...page.matchAll(/<article.*?<\/article>/gs)].flatMap(([card]) => {
    const title = plain(/<h2>(.*?)<\/h2>/.exec(card)?.[1] ?? '');
    const step = stepOf(report, title);
    const latencies = [...card.matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)];
    const find = (pattern: RegExp) => plain(pattern.exec(card)?.[1] ?? '');
    const cells = {
      rate: find(/class="big">(.*?)<\/div>/),
      within: find(/>(± \d+ %) over/),
      share: find(/class="chip [a-z]+">(?:only )?([\d.]+ %)/),
      ceiling: find(/>page cache: (.*?)</),
      'as timed': find(/>([^<>]*) as timed/),
      ...Object.fromEntries(latencies.map(([, name = '', text = '']) => [name, text])),
    };
    return figuresInRow(step, Object.keys(cells), Object.values(cells));
  });
  const tables = [...page.matchAll(/<table>.*?<\/table>/gs)].flatMap(([table]) => {
    const [heads = [], ...rows] = [...table.matchAll(/<tr>.*?<\/tr>/gs)].map(([row]) =>
      [...row.matchAll(/<t[hd].*?>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => plain(cell)),
    );
    // The table of single runs has no means.
    if (heads.includes('duration')) return [];
    const [corner = '', ...columns] = heads;
    return rows.flatMap(([name = '', ...cells]) => {
      if (corner === 'depth') return figuresInRow(`rnd4k-q${name}t1.read`, columns, cells);
      const isHost = columns.includes('ranks');
      const subject = isHost ? `${stepOf(report, corner)} on ${name}` : stepOf(report, name);
      return figuresInRow(subject, columns, cells);
    });
  });
  return [...cards, ...tables];
}

export function readPicture(report: Report): readonly Figure[] {
  const texts = [...render('svg', report).matchAll(/<text [^>]*>(.*?)<\/text>/g)].map(([, text = '']) =>
    plain(text),
  );
  const titles = allMeasurements(report).map(({ title }) => title);
  return texts.flatMap((title, at) => {
    if (!titles.includes(title)) return [];
    const [margin = '', rate = '', p50 = '', p99 = '', share = ''] = texts.slice(at + 1);
    const cells = [
      margin.split(' over')[0]?.replace(/^\d+ runs?$/, '') ?? '',
      rate,
      p50,
      p99,
      share.replace(/^only /, '').split(/(?<=%)/)[0] ?? '',
    ];
    return figuresInRow(stepOf(report, title), ['within', 'rate', 'p50', 'p99', 'share'], cells);
  });
}

export function readChart(report: Report): readonly Figure[] {
  const lines = render('chart', report).split('\n');
  const titles = lines.flatMap((line) => /^(\S.*?), (?:MB|ops)\/s/.exec(line)?.[1] ?? []);
  const numbers = lines.flatMap(
    (line) => /^([\d.e+]+ ?\S*\/s), p50 (.*), p99 (.*)$/.exec(line)?.slice(1) ?? [],
  );
  return titles.flatMap((title, at) =>
    figuresInRow(stepOf(report, title), ['as timed', 'p50', 'p99'], numbers.slice(3 * at)),
  );
}

/** The lines of statistics have the rates as timed. */
export function readStatisticsLines(report: Report): readonly Figure[] {
  const pattern =
    /^(.*?)( MB\/s)? of \d+ runs: mean ([\d.]+), (?:95 % interval ([\d.]+) to ([\d.]+), )?.* min ([\d.]+), max ([\d.]+)$/gm;
  return [...render('text', report).matchAll(pattern)].flatMap(([, title = '', unit = '/s', ...numbers]) =>
    ['timed', 'timed low', 'timed high', 'lowest timed', 'highest timed'].flatMap((name, at) =>
      numbers[at] ? [[`${stepOf(report, title)} ${name}`, numbers[at] + unit] as const] : [],
    ),
  );
}

export function readSweep(report: Report): readonly Figure[] {
  const result = analyzeSweep(measuredPoints(report), quotaFactsOf(report));
  const points = result.points.flatMap((point): readonly Figure[] => {
    const step = `rnd4k-q${point.depth}t1.read`;
    const { low, high } = point.confidence95 ?? {};
    return [
      [`${step} ops`, `${point.operationsPerSecond}/s`],
      [`${step} bytes`, `${point.bytesPerSecond}/s`],
      [`${step} p99`, `${point.p99Ns} ns`],
      [`${step} mean`, `${point.meanNs} ns`],
      ...(low
        ? ([
            [`${step} low`, `${low}/s`],
            [`${step} high`, `${high}/s`],
          ] as const)
        : []),
    ];
  });
  const text = sweepText(result, 'operationsPerSecond', null, PLAIN_SCREEN);
  const [, depth, ops, margin = '', p99] =
    /depth (\d+) \((\d+\/s)(?: (± \d+ %))?, p99 ([^)]*)\)/.exec(text) ?? [];
  return [
    ...points,
    ...figuresInRow(`rnd4k-q${depth}t1.read`, ['as timed', 'within', 'p99'], [ops ?? '', margin, p99 ?? '']),
  ];
}

/** Reads the rates of the log with -v. */
export function readLog(report: Report): readonly Figure[] {
  const [line = ''] = logLines({ type: 'end', report }, true);
  return [...line.matchAll(/(\w+) (\S+(?: MB)?\/s) \(the result is/g)].map(([, step, text = '']) => [
    `${step} ceiling`,
    text,
  ]);
}

/** Reads the means of both sides in what `compare --all` and `ab --all` print, and in their pages. */
export function readComparisons(first: Report, second: Report) {
  const results = [first, second].map(toResults);
  const before = toComparisonSide('first', results.slice(0, 1));
  const after = toComparisonSide('second', results.slice(1));
  const documents: readonly ComparisonDocument[] = [
    { comparisons: [compareSides(before, after)] },
    compareInTurn([before, after], null, 'last'),
  ];
  const rows = documents.flatMap((document) => {
    const { markdown } = createComparisonFormats({ all: true }, document);
    const [, , ...lines] = markdown(document.comparisons)
      .split('\n')
      .filter((line) => line.startsWith('|'));
    const page = htmlPage(results, document);
    return [
      ...lines.map((line) => line.split('|').slice(1, 4).map(plain)),
      ...[...page.matchAll(/([\w.-]+): from ([^<(]*) \(first\) to ([^<(]*) \(second\)/g)].map((row) =>
        row.slice(1),
      ),
    ];
  });
  const isFromDevice = (name: string) => before.samples.find((one) => one.name === name)?.isFromDevice;
  return rows.map(([metric = '', from = '', to = '']) => {
    const name = nameMetric(first, metric).replace(/ rate$/, isFromDevice(metric) ? ' rate' : ' timed');
    return { before: [name, from] as const, after: [name, to] as const };
  });
}
