import { GobonnieError } from '../errors.js';
import { shown } from '../text/escape.js';
import { flag, type Sentence, sentence } from '../text/sentence.js';
import { amounts, parseAmount, type Unit } from './amount.js';
import { type Metric, metrics, valuesOf } from './metrics.js';
import { isComplete } from './results.js';
import { figuresOfPhase } from './results-of-report.js';
import type { ExpectationVerdict, Report } from './schema/report.js';
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
  readonly text: string;
  readonly phase: string;
  readonly metric: Metric;
  readonly unit: Unit;
  readonly operator: Operator;
  readonly bound: number;
}

/** The measured phases, and what their figures count. */
type Phases = readonly { readonly name: string; readonly figure: 'bytes' | 'operations' }[];

/** Throws if it does not name a figure that will be measured and an amount. */
export function parseExpectation(given: string, phases: Phases): Expectation {
  const [, name = '', operator = '', amount = ''] =
    /^\s*([\w.-]+?)\s*(>=|<=|>|<)\s*(.*?)\s*$/s.exec(given) ?? [];
  if (name === '') throw refusal(given, 'is not a condition', "pass for example --expect 'write>=200MB/s'");
  const [phaseName = '', metricName = '', ...rest] = name.split('.');
  const phase = phases.find((one) => one.name === phaseName);
  if (!phase) {
    const names = phases.map((one) => one.name).join(', ');
    throw refusal(
      given,
      `names ${shown(phaseName)}, which is not measured`,
      sentence`use one of ${names}, or pass ${flag('phases')}`,
    );
  }
  const metric = metrics.find((one) => one.name === metricName);
  if (!metric || rest.length > 0 || name.endsWith('.')) {
    const names = metrics.filter((one) => one.name !== '').map((one) => one.name);
    throw refusal(
      given,
      `names ${shown(name)}, which is not a figure`,
      `use ${phaseName} alone, or with one of .${names.join(', .')}`,
    );
  }
  const unit = metric.unit(phase);
  const bound = parseAmount(amount, unit);
  if (bound === null)
    throw refusal(
      given,
      amount === '' ? 'has no value' : `has the value ${shown(amount)}, but ${name} is in ${unitsText(unit)}`,
      `write it like '${name}${operator}${amounts[unit].example}'`,
    );
  return { text: given.trim(), phase: phaseName, metric, unit, operator: operator as Operator, bound };
}

/** Judges the mean of the complete runs. An unknown figure meets no condition. */
export function judgeExpectation(
  { text, phase, metric, unit, operator, bound }: Expectation,
  { runs }: Pick<Report, 'runs'>,
): ExpectationVerdict {
  const measured = runs.filter(isComplete).flatMap(({ measurements }) => measurements);
  const values = valuesOf(measured.filter((one) => one.phase === phase).map(figuresOfPhase), metric);
  const actual = values.length === 0 ? null : meanOf(values);
  return { text, unit, bound, actual, isMet: actual !== null && COMPARISONS[operator](actual, bound) };
}

/** Every suffix, except the empty one and the Greek twin of µs. */
function unitsText(unit: Unit): string {
  const suffixes = Object.keys(amounts[unit].suffixes);
  return suffixes.filter((name) => name !== '' && !name.includes('μ')).join(', ');
}

function refusal(given: string, what: string, hint: Sentence): GobonnieError {
  return new GobonnieError('option-invalid', sentence`${flag('expect', given)} ${what}`, hint);
}
