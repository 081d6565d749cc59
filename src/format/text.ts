import { figureOf } from '../report/figures.js';
import type { FigureStatistics, Measurement } from '../report/report.js';
import { MB } from '../units.js';
import type { Format } from './format.js';

/** gobonniego's lines and, after several runs, what they say together. */
export const text: Format = {
  phase: (measurement) => `${labelOf(measurement)}: ${rateText(measurement, figureOf(measurement))}\n`,
  end: ({ statistics }) => statistics.map(statisticsLine).join(''),
};

function statisticsLine(of: FigureStatistics): string {
  if (of.standardDeviation === null || of.confidence95 === null) return '';
  const shown = (rate: number) => rateText(of, rate);
  const variation =
    of.coefficientOfVariation === null ? '' : ` (${(of.coefficientOfVariation * 100).toFixed(1)} %)`;
  return (
    `${labelOf(of)} of ${of.runs} runs: mean ${shown(of.mean)}, ` +
    `95 % interval ${shown(Math.max(0, of.confidence95.low))} to ${shown(of.confidence95.high)}, ` +
    `standard deviation ${shown(of.standardDeviation)}${variation}, min ${shown(of.min)}, max ${shown(of.max)}\n`
  );
}

function labelOf({ title, figure }: Pick<Measurement, 'title' | 'figure'>): string {
  return figure === 'bytes' ? `${title} MB/s` : title;
}

function rateText({ figure }: Pick<Measurement, 'figure'>, rate: number): string {
  return figure === 'bytes' ? (rate / MB).toFixed(2) : rate.toFixed(0);
}
