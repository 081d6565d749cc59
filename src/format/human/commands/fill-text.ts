import { unitDefinitions } from '../../../report/amount.js';
import { allMeasurements } from '../../../report/runs.js';
import type { Measurement, Report } from '../../../report/schema/report.js';
import { formatBytes, formatSeconds } from '../../../text/units.js';
import { hangingIndent, toText } from '../../../text/wrap.js';
import { gibAxis, rateAxis } from '../../page/drawing/scale.js';
import { amountCurve, cliffBytes } from '../../page/drawing/timeline.js';
import { drawPlots } from '../chart-format.js';
import type { Screen } from '../screen.js';
import { INDENT } from '../table.js';
import { sourceText } from './ping-text.js';

const { chart, format: formatRate } = unitDefinitions.bytesPerSecond;
const PLOT_ROWS = 7;
/** A rate that differs by less than this from the rate before or after the cliff is the same. */
const NEAR_SHARE = 0.2;

/** Renders the rate over the amount written, and whether the data was read back. Empty without a result. */
export function fillText(report: Report, screen: Screen): string {
  const fill = findPhase(report, 'fill');
  if (!fill) return '';
  const { divisor, name: quantity } = chart;
  const rates = { quantity, lines: [amountCurve(fill, divisor)], x: gibAxis, y: rateAxis };
  const amount = `wrote ${formatBytes(fill.bytes)} in ${formatSeconds(fill.seconds)}, ${sourceText(fill, report)}`;
  const text = [amount, ...fillSentences(report)].flatMap((one) =>
    hangingIndent(INDENT, one, screen.columns),
  );
  const lines = [...drawPlots('by amount written', [rates], PLOT_ROWS, screen), '', ...text];
  return toText(lines);
}

/** Returns a sentence each on the cliff, the recovery and the read-back. Empty if no disk was filled. */
export function fillSentences(report: Report): readonly string[] {
  const fill = findPhase(report, 'fill');
  if (!fill) return [];
  const pauseSeconds = report.options.steps?.find(({ phase }) => phase === 'write')?.pauseSeconds ?? 0;
  const recovery = recoverySentence(fill, findPhase(report, 'overwrite'), pauseSeconds);
  const read = readSentence(fill, findPhase(report, 'read'), report);
  return [rateSentence(fill), ...(recovery ? [recovery] : []), read];
}

function findPhase(report: Report, phase: string): Measurement | undefined {
  return allMeasurements(report).find((one) => one.phase === phase);
}

function rateSentence(fill: Measurement): string {
  const { cliff, bytesPerSecond } = fill;
  if (cliff) {
    const { beforePerSecond, afterPerSecond } = cliff;
    return `${formatRate(beforePerSecond)} for the first ${formatBytes(cliffBytes(cliff))}, then ${formatRate(afterPerSecond)}`;
  }
  return `${formatRate(bytesPerSecond)} on average, no cliff in ${formatBytes(fill.bytes)}`;
}

function recoverySentence(
  { cliff }: Measurement,
  again: Measurement | undefined,
  pauseSeconds: number,
): string | null {
  if (!cliff || !again) return null;
  const { bytesPerSecond } = again;
  const result = `after a pause of ${formatSeconds(pauseSeconds)} ${formatRate(bytesPerSecond)}`;
  if (bytesPerSecond >= cliff.beforePerSecond * (1 - NEAR_SHARE)) return `${result}: it recovered`;
  return bytesPerSecond <= cliff.afterPerSecond * (1 + NEAR_SHARE)
    ? `${result}: it did not recover`
    : `${result}: it recovered in part`;
}

function readSentence(fill: Measurement, read: Measurement | undefined, report: Report): string {
  if (!read) return 'not read back';
  const rate = `read back at ${formatRate(read.bytesPerSecond)}, ${sourceText(read, report)}`;
  return read.bytes >= fill.bytes
    ? `${rate}: every block as written`
    : `${rate}: the first ${formatBytes(read.bytes)} as written, the rest not read`;
}
