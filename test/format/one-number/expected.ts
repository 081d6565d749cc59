import { expect } from 'vitest';
import type { RankResult } from '../../../src/report/schema/measurement-schema.js';
import type { Measurement, Report } from '../../../src/report/schema/report.js';
import { groupBy } from '../../../src/text/group-by.js';

/** A number that an output shows, such as `read p99` and `60.3 µs`. */
export type Figure = readonly [name: string, text: string];

/** Units of rates and shares, and of times in nanoseconds. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  '/s': 1,
  'kB/s': 1e3,
  'MB/s': 1e6,
  '%': 0.01,
  ns: 1,
  µs: 1e3,
  ms: 1e6,
  s: 1e9,
};
/** The greatest error of numbers with all their digits. */
const ROUNDING = 1e-9;

/** Fails if an output shows another number than expected, to the precision printed. */
export function expectFigure([name, text]: Figure, expected: Readonly<Record<string, number>>): void {
  const [, digits = '', exponent = '0', unit = ''] =
    /^(?:± )?([\d.]+)(?:e([+-]?\d+))? ?(\D*)$/.exec(text) ?? [];
  const scale = 10 ** Number(exponent) * (UNITS[unit] ?? Number.NaN);
  const value = expected[name];
  if (value === undefined) throw new Error(`an output shows ${text} as ${name}, which is unknown`);
  const decimals = digits.split('.')[1]?.length ?? 0;
  const tolerance = 0.5001 * 10 ** -decimals * scale + value * ROUNDING;
  expect(
    Math.abs(Number(digits) * scale - value),
    `${name}: ${text} instead of ${value}`,
  ).toBeLessThanOrEqual(tolerance);
}

/** Student's t for 95 %, by the number of runs. */
const STUDENT_T: Readonly<Record<number, number>> = { 3: 4.302_652_73, 4: 3.182_446_305, 5: 2.776_445_105 };
/** Intervals are as much wider, because the runs of a disk resemble each other. */
const WIDENING = 2;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const arithmetic = (values: readonly number[]) => sum(values) / values.length;
const geometric = (values: readonly number[]) =>
  values.includes(0) ? arithmetic(values) : Math.exp(arithmetic(values.map(Math.log)));

function interval(values: readonly number[]) {
  const t = STUDENT_T[values.length];
  if (t === undefined) return null;
  const logs = values.map(Math.log);
  const deviation = Math.sqrt(sum(logs.map((log) => (log - arithmetic(logs)) ** 2)) / (logs.length - 1));
  const ratio = Math.exp((WIDENING * t * deviation) / Math.sqrt(logs.length));
  return { low: geometric(values) / ratio, high: geometric(values) * ratio, margin: ratio - 1 };
}

/**
 * Computes the figures of a report from its complete runs or, if there are none, from all: means of rates, times and
 * latencies are geometric, means of shares arithmetic.
 */
export function expectedFigures({ runs, memoryCeiling }: Report): Readonly<Record<string, number>> {
  const complete = runs.filter(({ state }) => state === 'completed');
  const shown = (complete.length > 0 ? complete : runs).flatMap(({ measurements }) => measurements);
  const figures: Record<string, number> = {};
  for (const group of groupBy(shown, ({ step }) => step)) {
    const [{ step, reads, writes }] = group;
    addStep(figures, step, group);
    const ceiling = memoryCeiling?.find((one) => one.step === step)?.perSecond;
    if (ceiling !== undefined) figures[`${step} ceiling`] = ceiling;
    if (reads && writes) {
      addStep(
        figures,
        `${step} reads`,
        group.map((one) => ({ ...one, ...one.reads })),
      );
      addStep(
        figures,
        `${step} writes`,
        group.map((one) => ({ ...one, ...one.writes })),
      );
    }
    if (group[0].ranks) addHosts(figures, step, group);
    addFirstDone(figures, step, group);
  }
  return figures;
}

function addStep(figures: Record<string, number>, step: string, group: readonly Measurement[]): void {
  const add = (
    name: string,
    mean: typeof geometric,
    getValue: (one: Measurement) => number | null | undefined,
  ) => {
    const values = group.map(getValue).filter((value) => value !== null && value !== undefined);
    if (values.length > 0) figures[`${step} ${name}`] = mean(values);
  };
  const rateOf = (one: Measurement) =>
    one.primaryRate === 'bytes' ? one.bytesPerSecond : one.operationsPerSecond;
  add('timed', geometric, rateOf);
  add('bytes', geometric, (one) => one.bytesPerSecond);
  add('ops', geometric, (one) => one.operationsPerSecond);
  add('seconds', geometric, ({ seconds }) => seconds * 1e9);
  add('share', arithmetic, ({ device }) => device.share);
  add('cpu', arithmetic, ({ cpu }) => cpu.percent / 100);
  for (const name of ['min', 'mean', 'p50', 'p90', 'p95', 'p99', 'p999', 'p9999', 'max'] as const)
    add(name, geometric, ({ latencyNs }) => latencyNs?.[name]);
  const rates = group.map(rateOf);
  const known = interval(rates);
  if (known) {
    figures[`${step} timed low`] = known.low;
    figures[`${step} timed high`] = known.high;
  }
  figures[`${step} lowest timed`] = Math.min(...rates);
  figures[`${step} highest timed`] = Math.max(...rates);
  if (group.some(({ device }) => (device.share ?? 0) < 0.9)) return;
  figures[`${step} rate`] = geometric(rates);
  figures[`${step} lowest`] = Math.min(...rates);
  figures[`${step} highest`] = Math.max(...rates);
  for (const [name, value] of Object.entries(known ?? {})) figures[`${step} ${name}`] = value;
}

/** The latencies of a host are those of its slowest rank. */
function addHosts(figures: Record<string, number>, step: string, group: readonly Measurement[]): void {
  const all = group.map(({ ranks = [] }) => ranks);
  const hosts = new Set(all.flat().map((rank) => rank.host));
  for (const host of hosts) {
    const perRun = all.map((ranks) => ranks.filter((rank) => rank.host === host));
    const add = (
      name: string,
      mean: typeof geometric,
      getValue: (ranks: readonly RankResult[]) => number,
    ) => {
      figures[`${step} on ${host} ${name}`] = mean(perRun.map(getValue));
    };
    const began = (ranks: readonly RankResult[]) => Math.min(...ranks.map((one) => one.startOffsetSeconds));
    const done = (ranks: readonly RankResult[]) =>
      Math.max(...ranks.map((one) => one.startOffsetSeconds + one.seconds));
    const unit = group[0]?.primaryRate ?? 'bytes';
    const share = (ranks: readonly RankResult[]) =>
      arithmetic(ranks.map(({ deviceShare }) => deviceShare ?? 0));
    add('timed', geometric, (ranks) => sum(ranks.map((one) => one[unit])) / (done(ranks) - began(ranks)));
    const timed = figures[`${step} on ${host} timed`];
    if (timed !== undefined && perRun.every((ranks) => share(ranks) >= 0.9))
      figures[`${step} on ${host} rate`] = timed;
    add('share', arithmetic, share);
    const cpuSeconds = (one: RankResult) => (one.cpuPercent / 100) * one.seconds;
    add('cpu', arithmetic, (ranks) => sum(ranks.map(cpuSeconds)) / (done(ranks) - began(ranks)));
    add('began', geometric, (ranks) => began(ranks) * 1e9);
    add('done', geometric, (ranks) => done(ranks) * 1e9);
    for (const name of ['p99', 'max'] as const)
      add(name, geometric, (ranks) => Math.max(...ranks.map(({ latencyNs }) => latencyNs?.[name] ?? 0)));
    // The only host does all the work.
    for (const name of hosts.size === 1 ? ['timed', 'rate', 'share', 'cpu'] : []) {
      const value = figures[`${step} ${name}`];
      if (value !== undefined) figures[`${step} on ${host} ${name}`] = value;
    }
  }
}

function addFirstDone(figures: Record<string, number>, step: string, group: readonly Measurement[]): void {
  const first = group.map(({ firstDone }) => firstDone).filter((one) => one !== undefined);
  if (first.length === 0) return;
  const unit = group[0]?.primaryRate === 'bytes' ? 'bytesPerSecond' : 'operationsPerSecond';
  figures[`${step} first done rate`] = geometric(first.map((one) => one[unit]));
  figures[`${step} first done`] = geometric(first.map(({ seconds }) => seconds * 1e9));
}
