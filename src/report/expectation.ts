import { GobonnieError } from '../errors.js';
import { display } from '../text/escape.js';
import { flag, type MessageTemplate, msg } from '../text/sentence.js';
import { amounts, parseAmount, showShare, type MetricUnit } from './amount.js';
import { inMemoryText } from './in-memory.js';
import { countingHint, deviceHint } from './measure/hint.js';
import { type Metric, metrics, sampleOf } from './metrics.js';
import { isComplete } from './results.js';
import { figuresOfPhase } from './results-of-report.js';
import { circumstancesOf } from './run-warnings.js';
import type { ExpectationResult, Measurement, Report } from './schema/report.js';
import { meanOf } from './statistics/statistics.js';

const COMPARISONS = {
  '>=': (actual: number, bound: number) => actual >= bound,
  '<=': (actual: number, bound: number) => actual <= bound,
  '>': (actual: number, bound: number) => actual > bound,
  '<': (actual: number, bound: number) => actual < bound,
} as const;

type Operator = keyof typeof COMPARISONS;

/** A condition of `--expect`: `write>=200MB/s`. */
export interface Expectation {
  readonly condition: string;
  readonly phase: string;
  readonly metric: Metric;
  readonly unit: MetricUnit;
  readonly operator: Operator;
  readonly bound: number;
}

/** The measured phases, and what their figures count. */
type Phases = readonly { readonly name: string; readonly primaryRate: 'bytes' | 'operations' }[];

/** Throws if it does not name a figure that will be measured and an amount. */
export function parseExpectation(given: string, phases: Phases): Expectation {
  const [, name = '', operator = '', amount = ''] =
    /^\s*([\w.-]+?)\s*(>=|<=|>|<)\s*(.*?)\s*$/s.exec(given) ?? [];
  if (name === '') throw refusal(given, 'is not a condition', 'pass for example --expect "write>=200MB/s"');
  const [phaseName = '', metricName = '', ...rest] = name.split('.');
  const phase = phases.find((one) => one.name === phaseName);
  if (!phase) {
    const names = phases.map((one) => one.name).join(', ');
    throw refusal(
      given,
      `names ${display(phaseName)}, which is not measured`,
      msg`use one of ${names}, or pass ${flag('phases')}`,
    );
  }
  const metric = metrics.find((one) => one.name === metricName);
  if (!metric || rest.length > 0 || name.endsWith('.')) {
    const names = metrics.filter((one) => one.name !== '').map((one) => one.name);
    throw refusal(
      given,
      `names ${display(name)}, which is not a figure`,
      `use ${phaseName} alone, or with one of .${names.join(', .')}`,
    );
  }
  const unit = metric.unit(phase);
  const bound = parseAmount(amount, unit);
  if (bound === null)
    throw refusal(
      given,
      problemOf(amount, name, unit),
      `write it like "${name}${operator}${amounts[unit].example}"`,
    );
  return { condition: given.trim(), phase: phaseName, metric, unit, operator: operator as Operator, bound };
}

/**
 * Judges the mean of the complete runs. An unknown figure meets no condition. Where memory served a part, the timed figure
 * is a bound only: the disk does no better, so that a condition which even that misses is missed.
 */
export function judgeExpectation(
  { condition, phase, metric, unit, operator, bound }: Expectation,
  report: Pick<Report, 'runs' | 'target' | 'options' | 'machine' | 'cache'>,
  allowCached = false,
): ExpectationResult {
  const measured = report.runs
    .filter(isComplete)
    .flatMap(({ measurements }) => measurements.filter((one) => one.phase === phase));
  const figures = measured.map((one) => figuresOfPhase(one, report));
  const { values, isFromDevice } = sampleOf(figures, metric, allowCached);
  const actual = values.length === 0 ? null : meanOf(values);
  const verdict = { condition, unit, bound, actual };
  const holds = actual !== null && COMPARISONS[operator](actual, bound);
  if (isFromDevice || (!holds && asksForBetter(operator, metric))) return { ...verdict, passed: holds };
  return { ...verdict, passed: false, inconclusive: inconclusiveBy(measured, report) };
}

function asksForBetter(operator: Operator, { better }: Metric): boolean {
  return operator.startsWith('>') ? better === 'higher' : better === 'lower';
}

type Judged = Pick<Report, 'runs' | 'target' | 'options' | 'machine' | 'cache'>;

/** Why the disk's figure is unknown: by the run that the device served least. */
function inconclusiveBy(
  measured: readonly Measurement[],
  report: Judged,
): ExpectationResult['inconclusive'] {
  const [worst] = measured.toSorted((one, other) => (one.device.share ?? 0) - (other.device.share ?? 0));
  if (!worst) throw new Error('what was not measured has no figure that memory could have served');
  return {
    reason: reasonFor(worst, report.target),
    hint: hintFor(worst, report),
  };
}

function hintFor(worst: Measurement, report: Judged): string {
  const where = circumstancesOf(report, worst.phase);
  const hint = worst.device.share === null ? countingHint(worst, where) : deviceHint(worst, where);
  // Whatever else is passed, it stays unknown there.
  if (hint === null) return 'pass --allow-cached to judge it as timed';
  return `${hint}, or --allow-cached to judge it as timed`;
}

function reasonFor({ device, readBytes }: Measurement, target: Report['target']): string {
  const { share, reason } = device;
  if (target.isMemory) return inMemoryText(target);
  if (share === null) return `the share of the device is unknown: ${reason}`;
  const percent = showShare(share);
  return readBytes > 0
    ? `only ${percent} of it came from the device`
    : `only ${percent} of it had reached the device`;
}

function problemOf(amount: string, name: string, unit: MetricUnit): string {
  if (amount === '') return 'has no value';
  if (/^(\d+\.?\d*|\.\d+)$/.test(amount)) return 'has no unit';
  return `has the value ${display(amount)}, but ${name} is in ${unitsText(unit)}`;
}

/** Every suffix, except the empty one and the Greek twin of µs. */
function unitsText(unit: MetricUnit): string {
  const suffixes = Object.keys(amounts[unit].suffixes);
  return suffixes.filter((name) => name !== '' && !name.includes('μ')).join(', ');
}

function refusal(given: string, what: string, hint: MessageTemplate): GobonnieError {
  return new GobonnieError('option-invalid', msg`${flag('expect', given)} ${what}`, hint);
}
