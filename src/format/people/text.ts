import { formatShare } from '../../report/amount.js';
import { primaryRateOf } from '../../report/rate.js';
import { completeRuns, type PhaseFigures, type RunResult } from '../../report/results.js';
import type { RateStatistics, Measurement } from '../../report/schema/report.js';
import { computeRunStatistics } from '../../report/statistics/figures.js';
import { sanitize, display } from '../../text/escape.js';
import { MB, MIB } from '../../text/units.js';
import type { Format } from '../format.js';

/** Higher rates of operations are shown without decimals. */
const MANY_PER_SECOND = 1000;

/** The unit of byte rates. */
interface Unit {
  readonly bytes: number;
  readonly name: string;
}

const MB_PER_SECOND: Unit = { bytes: MB, name: 'MB/s' };

/** gobonniego's lines and, after several runs, statistics, computed anew: a damaged report may hold wrong ones. */
export const text: Format = {
  ...linesIn(MB_PER_SECOND),
  end: ({ runs }) =>
    computeRunStatistics(runs)
      .map((of) => statisticsLine(of, MB_PER_SECOND))
      .join(''),
};

/** bonniego's. */
export const bonniegoText = linesIn({ bytes: MIB, name: 'MiB/s' });

function linesIn(unit: Unit): Format {
  return {
    oneByOne: 'headed',
    phase: (measurement) =>
      `${labelOf(measurement, unit)}: ${rateText(measurement, primaryRateOf(measurement), unit)}\n`,
    render: (results) => {
      const runs = completeRuns(results);
      return runs.map((run) => (runs.length > 1 ? headingOf(run) : '') + runLines(run, unit)).join('');
    },
  };
}

/** The heading of one of several runs. */
function headingOf({ label, program, startedAt }: RunResult): string {
  const by = program.version === null ? program.name : `${program.name} ${display(program.version)}`;
  return `${[label && display(label), by, startedAt].filter(Boolean).join(', ')}:\n`;
}

function runLines({ phases }: RunResult, unit: Unit): string {
  return phases.map((phase) => `${labelOf(phase, unit)}: ${foreignRateText(phase, unit)}\n`).join('');
}

function foreignRateText(phase: PhaseFigures, unit: Unit): string {
  const rate = primaryRateOf(phase);
  if (rate === null) return 'too quick to measure';
  const isFew = phase.primaryRate === 'operations' && rate < MANY_PER_SECOND;
  return isFew ? String(Number(rate.toFixed(1))) : rateText(phase, rate, unit);
}

function statisticsLine(of: RateStatistics, unit: Unit): string {
  if (of.standardDeviation === null) return '';
  const shown = (rate: number) => rateText(of, rate, unit);
  const interval = of.confidence95;
  const variation = of.coefficientOfVariation === null ? '' : ` (${formatShare(of.coefficientOfVariation)})`;
  return (
    `${labelOf(of, unit)} of ${of.runs} runs: mean ${shown(of.mean)}, ` +
    (interval ? `95 % interval ${shown(interval.low)} to ${shown(interval.high)}, ` : '') +
    `standard deviation ${shown(of.standardDeviation)}${variation}, min ${shown(of.min)}, max ${shown(of.max)}\n`
  );
}

function labelOf({ title, primaryRate }: Pick<Measurement, 'title' | 'primaryRate'>, { name }: Unit): string {
  const safe = sanitize(title);
  return primaryRate === 'bytes' ? `${safe} ${name}` : safe;
}

function rateText({ primaryRate }: Pick<Measurement, 'primaryRate'>, rate: number, { bytes }: Unit): string {
  return primaryRate === 'bytes' ? (rate / bytes).toFixed(2) : rate.toFixed(0);
}
