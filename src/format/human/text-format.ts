import { formatShare } from '../../report/amount.js';
import { primaryRateOf } from '../../report/rate.js';
import { completeRuns, type PhaseValues, type RunResult } from '../../report/results.js';
import type { Measurement, RateStatistics } from '../../report/schema/report.js';
import { computeRunStatistics } from '../../report/statistics/phase-statistics.js';
import { display, sanitize } from '../../text/escape.js';
import { MB, MIB } from '../../text/units.js';
import type { Format } from '../format.js';

/** Higher rates of operations are shown without decimals. */
const MANY_PER_SECOND = 1000;

/** The unit of byte rates. */
interface ByteUnit {
  readonly bytes: number;
  readonly name: string;
}

const MB_PER_SECOND: ByteUnit = { bytes: MB, name: 'MB/s' };

/** gobonniego's lines and, after several runs, statistics, recomputed because a damaged report may hold wrong ones. */
export const textFormat: Format = {
  ...createTextFormat(MB_PER_SECOND),
  end: ({ runs }) =>
    computeRunStatistics(runs)
      .map((statistics) => statisticsLine(statistics, MB_PER_SECOND))
      .join(''),
};

/** bonniego's lines. */
export const bonniegoFormat = createTextFormat({ bytes: MIB, name: 'MiB/s' });

function createTextFormat(unit: ByteUnit): Format {
  return {
    perFile: true,
    phase: (measurement) =>
      `${phaseLabel(measurement, unit)}: ${rateText(measurement, primaryRateOf(measurement), unit)}\n`,
    render: (results) => {
      const runs = completeRuns(results);
      return runs.map((run) => (runs.length > 1 ? runHeading(run) : '') + runLines(run, unit)).join('');
    },
  };
}

/** Returns the heading of a run, for when several are printed. */
function runHeading({ label, program, startedAt }: RunResult): string {
  const by = program.version === null ? program.name : `${program.name} ${display(program.version)}`;
  return `${[label && display(label), by, startedAt].filter(Boolean).join(', ')}:\n`;
}

function runLines({ phases }: RunResult, unit: ByteUnit): string {
  return phases.map((phase) => `${phaseLabel(phase, unit)}: ${foreignRateText(phase, unit)}\n`).join('');
}

function foreignRateText(phase: PhaseValues, unit: ByteUnit): string {
  const rate = primaryRateOf(phase);
  if (rate === null) return 'too quick to measure';
  const isFew = phase.primaryRate === 'operations' && rate < MANY_PER_SECOND;
  return isFew ? String(Number(rate.toFixed(1))) : rateText(phase, rate, unit);
}

function statisticsLine(statistics: RateStatistics, unit: ByteUnit): string {
  if (statistics.standardDeviation === null) return '';
  const formatRate = (rate: number) => rateText(statistics, rate, unit);
  const interval = statistics.confidence95;
  const variation =
    statistics.coefficientOfVariation === null ? '' : ` (${formatShare(statistics.coefficientOfVariation)})`;
  return (
    `${phaseLabel(statistics, unit)} of ${statistics.runs} runs: mean ${formatRate(statistics.mean)}, ` +
    (interval ? `95 % interval ${formatRate(interval.low)} to ${formatRate(interval.high)}, ` : '') +
    `standard deviation ${formatRate(statistics.standardDeviation)}${variation}, min ${formatRate(statistics.min)}, max ${formatRate(statistics.max)}\n`
  );
}

function phaseLabel(
  { title, primaryRate }: Pick<Measurement, 'title' | 'primaryRate'>,
  { name }: ByteUnit,
): string {
  const safe = sanitize(title);
  return primaryRate === 'bytes' ? `${safe} ${name}` : safe;
}

function rateText(
  { primaryRate }: Pick<Measurement, 'primaryRate'>,
  rate: number,
  { bytes }: ByteUnit,
): string {
  return primaryRate === 'bytes' ? (rate / bytes).toFixed(2) : rate.toFixed(0);
}
