import type { FigureStatistics } from '../report/report.js';
import { MB } from '../units.js';
import type { Format } from './format.js';

/** gobonniego's lines and, after several runs, what they say together. */
export const text: Format = {
  phase({ title, figure, bytesPerSecond, operationsPerSecond }) {
    return figure === 'bytes'
      ? `${title} MB/s: ${(bytesPerSecond / MB).toFixed(2)}\n`
      : `${title}: ${operationsPerSecond.toFixed(0)}\n`;
  },

  end: ({ statistics }) => statistics.map(statisticsLine).join(''),
};

function statisticsLine({ title, figure, runs, ...of }: FigureStatistics): string {
  if (of.standardDeviation === null || of.confidence95 === null) return '';
  const shown = (value: number) => (figure === 'bytes' ? (value / MB).toFixed(2) : value.toFixed(0));
  const variation =
    of.coefficientOfVariation === null ? '' : ` (${(of.coefficientOfVariation * 100).toFixed(1)} %)`;
  return (
    `${title}${figure === 'bytes' ? ' MB/s' : ''} of ${runs} runs: mean ${shown(of.mean)}, ` +
    `95 % interval ${shown(Math.max(0, of.confidence95.low))} to ${shown(of.confidence95.high)}, ` +
    `standard deviation ${shown(of.standardDeviation)}${variation}, min ${shown(of.min)}, max ${shown(of.max)}\n`
  );
}
