import { evaluateExpectation, parseExpectation } from '../../../src/checks/expectation.js';
import { listSteps } from '../../../src/options/measured-steps.js';
import type { MetricUnit } from '../../../src/report/amount.js';
import type { RateStatistics, Report } from '../../../src/report/schema/report.js';
import { readCsvRows } from '../data/read-csv.js';
import { nameMetric, plain, render } from './cells.js';
import type { Figure } from './expected.js';

/** Reads the report's own statistics, which have the rates as timed. */
export function readStatistics({ statistics }: Report): readonly Figure[] {
  return statistics.flatMap(({ step, mean, confidence95 }: RateStatistics) => {
    const figures: Figure[] = [[`${step} timed`, `${mean}/s`]];
    if (confidence95)
      figures.push(
        [`${step} timed low`, `${confidence95.low}/s`],
        [`${step} timed high`, `${confidence95.high}/s`],
      );
    return figures;
  });
}

export function readJunit(report: Report): readonly Figure[] {
  return [...plain(render('junit', report).replaceAll('&#10;', '\n')).matchAll(/^(\S+): (\d.*)$/gm)].map(
    ([, name = '', text = '']) => [nameMetric(report, name), text],
  );
}

const FAMILIES: Readonly<Record<string, readonly [figure: string, unit: string]>> = {
  rate_bytes_per_second: ['rate', '/s'],
  rate_operations_per_second: ['rate', '/s'],
  timed_bytes_per_second: ['timed', '/s'],
  timed_operations_per_second: ['timed', '/s'],
  throughput_bytes_per_second: ['bytes', '/s'],
  throughput_operations_per_second: ['ops', '/s'],
  device_ratio: ['share', ''],
  cpu_ratio: ['cpu', ''],
  ceiling_bytes_per_second: ['ceiling', '/s'],
  ceiling_operations_per_second: ['ceiling', '/s'],
  latency_mean_seconds: ['mean', ' s'],
  duration_seconds: ['seconds', ' s'],
};
const QUANTILES: Readonly<Record<string, string>> = {
  0.5: 'p50',
  0.9: 'p90',
  0.99: 'p99',
  0.999: 'p999',
  1: 'max',
};

export function readPrometheus(report: Report): readonly Figure[] {
  const pattern = /^gobonnie_(\w+)\{.*?step="(.*?)"(?:,quantile="(.*)")?\} (.*)$/gm;
  return [...render('prometheus', report).matchAll(pattern)].flatMap(
    ([, family = '', step, quantile, value]) => {
      const [name, unit] = quantile === undefined ? (FAMILIES[family] ?? []) : [QUANTILES[quantile], ' s'];
      return name === undefined ? [] : [[`${step} ${name}`, `${value}${unit}`] as const];
    },
  );
}

const BENCHER: Readonly<Record<string, string>> = {
  'rate-bytes-per-second': 'rate',
  throughput: 'rate',
  latency: 'mean',
  'latency-p50-nanoseconds': 'p50',
  'latency-p99-nanoseconds': 'p99',
  'latency-max-nanoseconds': 'max',
};

export function readBencher(report: Report): readonly Figure[] {
  const steps: Record<string, Record<string, Record<string, number>>> = JSON.parse(render('bencher', report));
  return Object.entries(steps).flatMap(([step, measures]) =>
    Object.entries(measures).flatMap(
      ([measure, { value, lower_value: low, upper_value: high }]): readonly Figure[] => {
        const name = `${step} ${BENCHER[measure] ?? measure}`;
        const unit = measure.startsWith('latency') ? ' ns' : '/s';
        const mean: Figure = [name, value + unit];
        if (low === undefined || !name.endsWith(' rate')) return [mean];
        return [mean, [`${step} low`, low + unit], [`${step} high`, high + unit]];
      },
    ),
  );
}

export function readGithubBenchmarks(report: Report): readonly Figure[] {
  const documents = (['github-throughput', 'github-latency'] as const).map((name) => render(name, report));
  const entries: readonly Record<'name' | 'unit' | 'value' | 'range', string>[] = documents.flatMap((text) =>
    JSON.parse(text),
  );
  return entries.flatMap(({ name, unit, value, range }): readonly Figure[] => {
    const isRate = unit !== 'µs';
    const suffix = unit === 'ops/s' ? '/s' : ` ${unit}`;
    const figure: Figure = [nameMetric(report, name), value + suffix];
    if (!range || !isRate) return [figure];
    const [low = '', high = ''] = range.split(' to ');
    return [figure, [`${name} low`, low + suffix], [`${name} high`, high + suffix]];
  });
}

/** Reads the ceiling of a step in each row: all runs have the same. */
export function readCeilings(report: Report): readonly Figure[] {
  return readCsvRows(render('csv', report)).flatMap((row) => {
    const ceiling = row.ceiling_bytes_per_second || row.ceiling_operations_per_second;
    return ceiling ? [[`${row.step} ceiling`, `${ceiling}/s`] as const] : [];
  });
}

export function readCrystalDiskMark(report: Report): readonly Figure[] {
  const pattern =
    /^ +(RND|SEQ) +(\d)(.)iB \(Q= *(\d+), T= *(\d+)\): +([\d.]+) MB\/s \[ *([\d.]+) IOPS\] < *([\d.]+) us>$/;
  let mode = '';
  return render('crystaldiskmark', report)
    .split('\n')
    .flatMap((line): readonly Figure[] => {
      mode = /^\[(.*)\]$/.exec(line)?.[1]?.toLowerCase() ?? mode;
      const [, kind, size, unit, queue, threads, bytes, ops, mean] = pattern.exec(line) ?? [];
      if (!kind) return [];
      const step = `${kind.toLowerCase()}${size}${unit?.toLowerCase()}-q${queue}t${threads}.${mode}`;
      return [
        [`${step} bytes`, `${bytes} MB/s`],
        [`${step} ops`, `${ops}/s`],
        [`${step} mean`, `${mean} µs`],
      ];
    });
}

export function readYabs(report: Report): readonly Figure[] {
  const { fio } = JSON.parse(render('yabs-json', report)) as { fio: readonly Record<string, number>[] };
  return fio.flatMap(({ bs, speed_r, iops_r, speed_w, iops_w, speed_rw, iops_rw }): readonly Figure[] => {
    const step = `rnd${bs}-q64t2.mix`;
    return [
      [`${step} reads bytes`, `${speed_r} kB/s`],
      [`${step} reads ops`, `${iops_r}/s`],
      [`${step} writes bytes`, `${speed_w} kB/s`],
      [`${step} writes ops`, `${iops_w}/s`],
      [`${step} bytes`, `${speed_rw} kB/s`],
      [`${step} ops`, `${iops_rw}/s`],
    ];
  });
}

const CONDITIONS: Readonly<Record<string, string>> = {
  '.timed>=1': 'timed',
  '.ops>=1': 'ops',
  '.p99<=1s': 'p99',
  '.share>=1%': 'share',
  '.cpu>=1%': 'cpu',
};

/** The values that --expect compares with its bounds. */
export function readExpectations(report: Report): readonly Figure[] {
  const [{ measurements } = { measurements: [] }] = report.runs;
  return measurements.flatMap(({ step, primaryRate }) =>
    Object.entries(CONDITIONS).flatMap(([condition, name]) => {
      const bound = name === 'timed' && primaryRate === 'bytes' ? `${condition}B/s` : condition;
      const expectation = parseExpectation(step + bound, listSteps(report.options));
      const { actual, unit, inconclusive } = evaluateExpectation(expectation, report);
      return inconclusive ? [] : [[`${step} ${name}`, formatBase(actual, unit)] as const];
    }),
  );
}

/** Formats a value with all its digits, in a unit that `expectFigure` knows. */
function formatBase(value: number | null, unit: MetricUnit): string {
  if (unit === 'percent') return String((value ?? 0) / 100);
  return `${value}${unit === 'nanoseconds' ? ' ns' : ''}`;
}
