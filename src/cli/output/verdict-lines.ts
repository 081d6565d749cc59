import { findFailures, findWorstVerdict } from '../../compare/comparison.js';
import type { Comparison } from '../../compare/comparison-schema.js';
import { incomparableError } from '../../compare/differences.js';
import { createComparisonFormats } from '../../format/human/commands/comparison-format.js';
import { describeComparison, inconclusiveLines } from '../../format/human/commands/conclusion.js';
import type { Paint, Screen } from '../../format/human/screen.js';
import { expectationLine } from '../../format/human/sentences.js';
import type { RunEvent } from '../../report/events/event-record.js';
import type { Report, Warning } from '../../report/schema/report.js';
import { sanitize } from '../../text/escape.js';
import { summarizeWarnings, titledWarnings } from '../../warnings/summary.js';
import { isUrgent } from '../../warnings/warning-catalogue.js';
import type { CliOptions } from '../argv/cli-options.js';
import { EXIT_CODES } from '../exit-codes.js';
import type { Verdict } from '../pass-criteria.js';

/** The reader of stderr: a person at a terminal, a log, or a log that a gate writes. Each function returns lines. */
export interface Audience {
  /** True to print the results after `beforeResults`, even those of completed steps. */
  readonly holdsResults: boolean;
  readonly forEvent: (event: RunEvent) => readonly string[];
  readonly beforeResults: (verdict: Verdict) => readonly string[];
  /** Includes the warnings, without the urgent ones, which are printed early. */
  readonly afterResults: (verdict: Verdict) => readonly string[];
}

/** True for a warning that is printed with the others after the results. */
export function isDeferred(event: RunEvent): boolean {
  return event.type === 'warning' && !isUrgent(event.warning);
}

/** Returns the warnings to print after the results: one for each code, or all details. The urgent ones have been printed. */
export function warningsAtEnd(report: Report, isVerbose = false): readonly Warning[] {
  const deferred = { ...report, warnings: report.warnings.filter((warning) => !isUrgent(warning)) };
  return isVerbose ? titledWarnings(deferred) : summarizeWarnings(deferred);
}

export type Verbosity = Pick<CliOptions, 'quiet' | 'verbose' | 'strict'>;

/**
 * Returns lines for stderr, or for a log if the screen is null; if quiet, only failed expectations, regressions and
 * inconclusive results.
 */
export function verdictLines(
  { report: { expectations = [] }, baseline, exitCode }: Verdict,
  verbosity: Verbosity,
  paint: Paint,
  screen: Screen | null,
): readonly string[] {
  const { good, bad } = paint;
  const comparison = baseline?.comparison;
  const { conclusion, details } = comparisonLines(comparison, verbosity, paint, screen);
  const missed = expectations.filter(({ passed }) => !passed).map((one) => bad(expectationLine(one)));
  const shown = expectations.filter(({ passed, worst }) => passed && (!verbosity.quiet || worst));
  const met = shown.map(expectationLine);
  const isFailure = (strict: boolean) => comparison && findFailures(comparison, strict).length > 0;
  if (verbosity.strict && isFailure(true) && !isFailure(false))
    missed.push(bad('with --strict, an inconclusive result is a failure'));
  if (comparison && exitCode === EXIT_CODES.usage)
    missed.unshift(`gobonnie: ${incomparableError(comparison).line}`);
  if (screen) return [...details, ...conclusion, ...met.map(good), ...missed];
  // A log begins with the failures, and is short.
  return [...missed, ...conclusion, ...(met.length > 0 ? [good(met.join('; '))] : []), ...details];
}

/**
 * Returns only the inconclusive results if quiet and nothing regressed. A log has the table only after a failure; an
 * inconclusive result is one if `strict`.
 */
function comparisonLines(
  comparison: Comparison | undefined,
  { quiet, verbose, strict }: Verbosity,
  paint: Paint,
  screen: Screen | null,
): { readonly conclusion: readonly string[]; readonly details: readonly string[] } {
  if (!comparison) return { conclusion: [], details: [] };
  const verdict = findWorstVerdict(comparison);
  if (quiet && verdict !== 'regression')
    return { conclusion: inconclusiveLines(comparison).map(sanitize), details: [] };
  const style = { paint, columns: screen?.columns ?? Infinity };
  const lines = createComparisonFormats(style).text([comparison]).trimEnd().split('\n');
  // An empty line separates the table in a terminal.
  if (screen) return { conclusion: [], details: ['', ...lines] };
  const isBrief = !verbose && verdict !== null && findFailures(comparison, strict).length === 0;
  const conclusion = describeComparison(comparison).map(sanitize);
  const details = lines.filter((line) => line !== '' && !conclusion.includes(line));
  return { conclusion, details: details.filter((line) => !isBrief || line.startsWith('difference: ')) };
}
