import { getPhase, phases } from '../../workers/phases/phase-catalogue.js';
import { type GobonnieError, optionError } from '../errors.js';
import type { MeasuredSteps } from '../options/measured-steps.js';
import { formatShare, parseAmount, unitDefinitions } from '../report/amount.js';
import { combineRuns, metrics, metricValues } from '../report/metrics.js';
import { describeInMemory } from '../report/rate.js';
import { stepValues } from '../report/results.js';
import { isComplete } from '../report/runs.js';
import type { ExpectationResult, Measurement, Report } from '../report/schema/report.js';
import { minMax } from '../report/statistics/statistics.js';
import { display } from '../text/escape.js';
import { flag, type MessageTemplate, msg } from '../text/message-template.js';
import {
  howToGetCounted,
  howToReachDevice,
  howToWaitForDevice,
  isOfExistingFiles,
} from '../warnings/hint.js';
import { measurementContext } from '../warnings/measurement-context.js';

const OPERATORS = {
  '>=': (actual: number, bound: number) => actual >= bound,
  '<=': (actual: number, bound: number) => actual <= bound,
  '>': (actual: number, bound: number) => actual > bound,
  '<': (actual: number, bound: number) => actual < bound,
} as const;

const ACCEPT_TIMED = 'pass --allow-cached to accept the timed result';

const SEPARATE_SYNCS: readonly unknown[] = ['fsync', 'fdatasync'];

type MeasuredStep = MeasuredSteps[number];
type Operator = keyof typeof OPERATORS;

/** A condition of `--expect`: `write>=200MB/s`. */
type Expectation = ReturnType<typeof parseExpectation>;

/** Throws if the text does not name a result that will be measured and an amount. */
export function parseExpectation(text: string, steps: MeasuredSteps) {
  const [, name = '', operator = '', amount = ''] =
    /^\s*([\w.-]+?)\s*(>=|<=|>|<)\s*(.*?)\s*$/s.exec(text) ?? [];
  if (name === '')
    throw expectationError(text, 'is not a condition', 'for example, --expect "write>=200MB/s"');
  // A newer version may have other phases.
  const known = steps.filter(({ phase }) => phases.some((one) => one.name === phase));
  const step = findStep(name, known);
  if (!step) {
    const names = steps.map((one) => one.name).join(', ');
    // Only without a list of steps do the names depend on an option.
    const other = steps.every((one) => one.name === one.phase) ? msg`, or pass ${flag('phases')}` : '';
    const isMetric = metrics.some((one) => one.name === name && one.name !== '');
    const suitable = isMetric && known.find((one) => whyPartIsMissing(name, one) === null);
    const hint = suitable ? `for example, ${suitable.name}.${name}` : msg`use one of ${names}${other}`;
    throw expectationError(text, `names ${display(name)}, which is not measured`, hint);
  }
  const suffix = name.slice(step.name.length).replace('.', '');
  const metric = metrics.find((one) => one.name === suffix);
  if (!metric || name.endsWith('.')) {
    const names = metrics.filter((one) => one.name !== '').map((one) => one.name);
    const others = steps.filter((one) => one !== step).map((one) => one.name);
    const more =
      others.length > 0 && steps.some((one) => one.name !== one.phase)
        ? `, or name ${others.join(', ')}`
        : '';
    throw expectationError(
      text,
      `names ${display(name)}, which is not a metric`,
      `use ${step.name} alone, or add one of .${names.join(', .')}${more}`,
    );
  }
  const missing = whyPartIsMissing(metric.name, step);
  if (missing) throw expectationError(text, `names ${display(name)}, but ${missing.reason}`, missing.hint);
  const unit = metric.unit(getPhase(step.phase));
  const bound = parseAmount(amount, unit);
  if (bound === null) {
    const { suffixes, example } = unitDefinitions[unit];
    const units = Object.keys(suffixes).filter((suffix) => suffix !== '');
    const isCount = unit === 'operationsPerSecond';
    const isBytes = isCount && parseAmount(amount, 'bytesPerSecond') !== null;
    throw expectationError(
      text,
      `has the value ${display(amount)}, but ${name} is in ${isCount ? 'operations per second' : units.join(', ')}`,
      `write it like "${name}${operator}${example}"${isBytes ? ` or "${step.name}.throughput${operator}${amount}"` : ''}`,
    );
  }
  return { condition: text.trim(), step: step.name, metric, unit, operator: operator as Operator, bound };
}

/** Names may contain dots, so the longest name that fits is meant: `rnd4k.read.p99` is the p99 of `rnd4k.read`. */
function findStep(name: string, steps: MeasuredSteps): MeasuredStep | undefined {
  const fitting = steps.filter((step) => `${name}.`.startsWith(`${step.name}.`));
  return fitting.toSorted((one, other) => other.name.length - one.name.length)[0];
}

/** Returns why a step has no latency of a part of its operations. Null if it may have one, or if the metric is of no part. */
function whyPartIsMissing(metricName: string, { name, phase, mixPercent = 0, syncPerWrite }: MeasuredStep) {
  const [part = '', quantile] = metricName.split('.');
  const { ioUnit, duration, readPercent = mixPercent } = getPhase(phase);
  if (quantile === undefined) return null;
  const isMixed = ioUnit === 'random-blocks' && readPercent > 0 && readPercent < 100;
  if (part === 'reads' || part === 'writes') {
    const reason = `${name} does not both read and write`;
    return isMixed ? null : { reason, hint: `use ${name}.${quantile}` };
  }
  const isSynced = ioUnit.endsWith('blocks') && readPercent < 100 && SEPARATE_SYNCS.includes(syncPerWrite);
  const isCommit = ioUnit === 'tool-calls' && duration !== undefined;
  if (isSynced || isCommit) return null;
  return {
    reason: `${name} makes no separate sync after each write`,
    hint: `use ${name}.${isMixed ? 'writes.' : ''}${quantile}`,
  };
}

function explainNoLatency(step: string, measured: readonly Measurement[], report: Report) {
  const copied = measured.find(
    ({ copyLatencyNs, writes }) => copyLatencyNs !== undefined || writes?.latencyNs === null,
  );
  if (!copied) return { reason: 'the step has no latency', hint: `expect ${step}.seconds, its duration` };
  return {
    reason: 'the latency of a write into the page cache is not that of the disk',
    hint: howToWaitForDevice(measurementContext(report, copied)),
  };
}

export const notOfJob = (step: string) => ({
  reason: 'only a job has a slowest host',
  hint: `expect ${step}, the rate`,
});

const INCOMPLETE = { reason: 'no run is complete', hint: 'run it again, to its end' };

/**
 * Evaluates the mean of the complete runs. An unknown result meets no condition. A partly cached result is a bound
 * that the disk does not exceed: the condition is missed if the timed result misses it, otherwise inconclusive.
 */
export function evaluateExpectation(
  { condition, step, metric, unit, operator, bound }: Expectation,
  report: Report,
  allowCached = false,
): ExpectationResult {
  const measured = report.runs
    .filter(isComplete)
    .flatMap(({ measurements }) => measurements.filter((one) => one.step === step));
  const rows = measured.map((one) => stepValues(one, report));
  const { values, isFromDevice } = metricValues(rows, metric, allowCached);
  const actual = values.length === 0 ? null : combineRuns(metric, values, unit);
  const result = { condition, unit, bound, actual };
  if (measured.length === 0) return { ...result, passed: false, inconclusive: INCOMPLETE };
  const isWithinBound = actual !== null && OPERATORS[operator](actual, bound);
  const requiresBetter = metric.better === (operator.startsWith('>') ? 'higher' : 'lower');
  if (actual === null && metric.quantity === 'slowest')
    return { ...result, passed: false, inconclusive: notOfJob(step) };
  if (actual === null && unit === 'nanoseconds')
    return { ...result, passed: false, inconclusive: explainNoLatency(step, measured, report) };
  if (isFromDevice || (!isWithinBound && requiresBetter)) {
    const worst = minMax(values)[operator.startsWith('>') ? 'min' : 'max'];
    const isMissed = isWithinBound && !OPERATORS[operator](worst, bound);
    const exception = isMissed && { worst: { actual: worst, runs: values.length } };
    return { ...result, passed: isWithinBound, ...exception };
  }
  return { ...result, passed: false, inconclusive: explainInconclusive(measured, report) };
}

/** Returns why the disk's rate is unknown, based on the run with the smallest device share. */
function explainInconclusive(measured: readonly Measurement[], report: Report) {
  const [worst] = measured.toSorted((one, other) => (one.device.share ?? 0) - (other.device.share ?? 0));
  if (!worst) throw new Error('an inconclusive condition needs a measurement');
  const context = measurementContext(report, worst);
  const hint =
    worst.device.share === null ? howToGetCounted(worst, context) : howToReachDevice(worst, context);
  // gobonnie first-read has no --allow-cached.
  const accept = isOfExistingFiles(worst) ? `expect ${worst.step}.timed, the rate as timed` : ACCEPT_TIMED;
  return {
    reason: reasonFor(worst, report.target),
    // If the hint is null, no other option makes the device's share known.
    hint: hint === null ? accept : `${hint}, or ${accept}`,
  };
}

function reasonFor({ device, readBytes }: Measurement, target: Report['target']): string {
  const { share, reason } = device;
  if (target.isMemory) return describeInMemory(target);
  if (share === null) return `the device's share is unknown: ${reason}`;
  const percent = formatShare(share);
  return readBytes > 0
    ? `only ${percent} was read from the device`
    : `only ${percent} had reached the device`;
}

function expectationError(text: string, problem: string, hint: MessageTemplate): GobonnieError {
  return optionError(msg`${flag('expect', text)} ${problem}`, hint);
}
