import { formatShare } from '../../report/amount.js';
import { primaryRateOf } from '../../report/rate.js';
import { completeRuns, type StepValues } from '../../report/results.js';
import type { Measurement, RateStatistics } from '../../report/schema/report.js';
import { isTellingInterval } from '../../report/statistics/statistics.js';
import { computeRunStatistics } from '../../report/statistics/step-statistics.js';
import { display, sanitize } from '../../text/escape.js';
import { MB, MIB } from '../../text/units.js';
import type { Format } from '../format.js';

/** Higher rates of operations are shown without decimals. */
const MANY_PER_SECOND = 1000;

const MB_PER_SECOND = { bytes: MB, name: 'MB/s' };

type ByteUnit = Readonly<typeof MB_PER_SECOND>;
type StepTitle = Pick<Measurement, 'step' | 'title' | 'primaryRate'>;

export const gobonniegoFormat = createTextFormat(MB_PER_SECOND);
export const bonniegoFormat = createTextFormat({ bytes: MIB, name: 'MiB/s' });

/** gobonniego's lines and, after several runs, statistics, recomputed because a damaged report may hold wrong ones. */
export const textFormat: Format = {
  ...gobonniegoFormat,
  end: ({ runs }) => computeRunStatistics(runs).map(statisticsLine).join(''),
};

function createTextFormat(unit: ByteUnit): Format {
  return {
    perFile: true,
    step: (measurement) =>
      `${phaseLabel(measurement, unit)}: ${rateText(measurement, primaryRateOf(measurement), unit)}\n`,
    render: (results) => {
      const runs = completeRuns(results);
      const texts = runs.map(({ label, program, startedAt, steps }) => {
        const by = program.version === null ? program.name : `${program.name} ${display(program.version)}`;
        const heading = `${[label && display(label), by, startedAt].filter(Boolean).join(', ')}:\n`;
        const lines = steps.map((step) => `${phaseLabel(step, unit)}: ${foreignRateText(step, unit)}\n`);
        return (runs.length > 1 ? heading : '') + lines.join('');
      });
      return texts.join('');
    },
  };
}

function foreignRateText(phase: StepValues, unit: ByteUnit): string {
  const rate = primaryRateOf(phase);
  if (rate === null) return 'too quick to measure';
  const isFew = phase.primaryRate === 'operations' && rate < MANY_PER_SECOND;
  return isFew ? String(Number(rate.toFixed(1))) : rateText(phase, rate, unit);
}

function statisticsLine(statistics: RateStatistics): string {
  const { runs, mean, min, max, standardDeviation, coefficientOfVariation, confidence95 } = statistics;
  if (standardDeviation === null) return '';
  const show = (rate: number) => rateText(statistics, rate, MB_PER_SECOND);
  const isTelling = confidence95 !== null && isTellingInterval(confidence95);
  const interval = isTelling ? `95 % interval ${show(confidence95.low)} to ${show(confidence95.high)}, ` : '';
  const variation =
    coefficientOfVariation === null ? '' : ` (${formatShare(coefficientOfVariation)} of the arithmetic mean)`;
  return (
    `${phaseLabel(statistics, MB_PER_SECOND)} of ${runs} runs: mean ${show(mean)}, ${interval}` +
    `standard deviation ${show(standardDeviation)}${variation}, min ${show(min)}, max ${show(max)}\n`
  );
}

/** Returns the title with the unit, which is also the title of gobonniego's IOPS. The title of a step in a list is its name. */
function phaseLabel({ step, title, primaryRate }: StepTitle, { name }: ByteUnit): string {
  if (title === 'IOPS') return title;
  const operations = title === step ? 'IOPS' : 'ops/s';
  return `${sanitize(title)} ${primaryRate === 'bytes' ? name : operations}`;
}

function rateText({ primaryRate }: StepTitle, rate: number, { bytes }: ByteUnit): string {
  return primaryRate === 'bytes' ? (rate / bytes).toFixed(2) : rate.toFixed(0);
}
