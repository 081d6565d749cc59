import { formatBytes, formatNs, KIB, MB, MIB, NS_PER_MS, NS_PER_SECOND, NS_PER_US } from '../text/units.js';

const PERCENT = 100;
const DECIMALS_BELOW = 1000;

const DECIMAL_BYTES = { B: 1, kB: 1000, MB, GB: 1000 * MB, TB: MB * MB };
const BYTES = { ...DECIMAL_BYTES, KiB: KIB, MiB: MIB, GiB: 1024 * MIB, TiB: MIB * MIB };
const TIMES = {
  ns: 1,
  us: NS_PER_US,
  µs: NS_PER_US,
  ms: NS_PER_MS,
  s: NS_PER_SECOND,
  min: 60 * NS_PER_SECOND,
} as const;
const THOUSANDS = { '': 1, k: 1000, M: 1_000_000 } as const;

/**
 * Every unit of a metric. A share is from 0 to 1. `base` is the unit that metric systems require: seconds, bytes, ratios.
 * It is lower case, because metric names contain it. `chart` is the fixed unit of a chart over time.
 */
export const unitDefinitions = {
  bytesPerSecond: {
    format: (value: number) => `${formatRounded(value / MB)} MB/s`,
    suffixes: addSuffix(BYTES, '/s'),
    example: '200MB/s',
    base: { name: 'bytes_per_second', divisor: 1 },
    chart: { name: 'MB/s', divisor: MB },
  },
  operationsPerSecond: {
    format: (value: number) => `${formatRounded(value)}/s`,
    suffixes: { ...THOUSANDS, ...addSuffix(THOUSANDS, '/s') },
    example: '5000',
    base: { name: 'operations_per_second', divisor: 1 },
    chart: { name: 'ops/s', divisor: 1 },
  },
  nanoseconds: {
    format: formatNs,
    suffixes: TIMES,
    example: '20ms',
    base: { name: 'seconds', divisor: NS_PER_SECOND },
    chart: { name: 'µs', divisor: NS_PER_US },
  },
  seconds: {
    format: (value: number) => formatNs(value * NS_PER_SECOND),
    suffixes: Object.fromEntries(Object.entries(TIMES).map(([name, ns]) => [name, ns / NS_PER_SECOND])),
    example: '20s',
    base: { name: 'seconds', divisor: 1 },
    chart: { name: 's', divisor: 1 },
  },
  bytes: {
    format: formatBytes,
    suffixes: { '': 1, ...BYTES },
    example: '1GiB',
    base: { name: 'bytes', divisor: 1 },
    chart: { name: 'MB', divisor: MB },
  },
  count: {
    format: formatRounded,
    suffixes: THOUSANDS,
    example: '5000',
    base: { name: '', divisor: 1 },
    chart: { name: '', divisor: 1 },
  },
  share: {
    format: formatShare,
    suffixes: { '%': 1 / PERCENT },
    example: '90%',
    base: { name: 'ratio', divisor: 1 },
    chart: { name: '%', divisor: 1 / PERCENT },
  },
  percent: {
    format: (value: number) => formatShare(value / PERCENT),
    suffixes: { '%': 1 },
    example: '150%',
    base: { name: 'ratio', divisor: PERCENT },
    chart: { name: '%', divisor: 1 },
  },
};

export type MetricUnit = keyof typeof unitDefinitions;

/** Units whose values differ by percentage points, not by a ratio, and the points per unit. */
export const PERCENTAGE_POINTS: Partial<Record<MetricUnit, number>> = { share: PERCENT, percent: 1 };
export const METRIC_UNITS = Object.keys(unitDefinitions) as [MetricUnit, ...MetricUnit[]];

export function formatAmount(value: number, unit: MetricUnit): string {
  return unitDefinitions[unit].format(value);
}

export type RateUnit = 'bytesPerSecond' | 'operationsPerSecond';

/** Leaves out the unit, for a column whose title has it. */
export function formatRateNumber(rate: number, unit: RateUnit): string {
  return formatAmount(rate, unit).replace(/ ?(MB)?\/s$/, '');
}

/** Parses `200MB/s`, `20 ms` or `5k` into a number of `unit`, ignoring case. Null if invalid. */
export function parseAmount(text: string, unit: MetricUnit): number | null {
  const [, digits = '', suffix = ''] = /^(\d+\.?\d*|\.\d+)\s*([^\d\s.]*)$/.exec(normalize(text)) ?? [];
  if (digits === '') return null;
  const known = Object.entries(unitDefinitions[unit].suffixes);
  const found = known.find(([name]) => normalize(name) === suffix);
  return found ? Number(digits) * found[1] : null;
}

/** Ignores case, and whether mu is a Greek letter or the micro sign. */
function normalize(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

function addSuffix(units: Readonly<Record<string, number>>, suffix: string): Record<string, number> {
  return Object.fromEntries(Object.entries(units).map(([name, factor]) => [`${name}${suffix}`, factor]));
}

function formatRounded(value: number): string {
  return value < DECIMALS_BELOW ? String(Number(value.toPrecision(4))) : value.toFixed(0);
}

/** Returns `unknown` for null. */
export function formatDeviceShare(share: number | null): string {
  return share === null ? 'unknown' : formatShare(share);
}

export function formatShare(share: number): string {
  return `${(share * PERCENT).toFixed(1)} %`;
}
