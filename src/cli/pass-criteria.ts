import { evaluateExpectation, parseExpectation } from '../checks/expectation.js';
import { compareSides, findWorstVerdict, isDecided, previewDifferences } from '../compare/comparison.js';
import type { Comparison, ComparisonVerdict } from '../compare/comparison-schema.js';
import { comparedProperties, incomparableError } from '../compare/differences.js';
import type { Stage } from '../compare/power.js';
import { toComparisonSide } from '../compare/side.js';
import { GobonnieError, optionError } from '../errors.js';
import { createComparisonFormats } from '../format/human/comparison-format.js';
import { describeComparison, inconclusiveLines } from '../format/human/conclusion.js';
import { type Paint, type Screen, transliterate } from '../format/human/screen.js';
import { expectationLine } from '../format/human/sentences.js';
import { listSteps } from '../options/measured-steps.js';
import type { Options } from '../options/options-schema.js';
import type { RunPlan } from '../plan/plan.js';
import { toResults } from '../report/results.js';
import type { Report } from '../report/schema/report.js';
import { emptyReport } from '../run/empty-report.js';
import { hasCode } from '../system-error.js';
import { sanitize } from '../text/escape.js';
import { flag, msg } from '../text/message-template.js';
import type { CliOptions } from './argv/cli-options.js';
import { fileOptionMessage } from './argv/dialect.js';
import { EXIT_CODES } from './exit-codes.js';
import { readResultFile } from './files/input-file.js';
import type { CliProcess } from './output/terminal.js';

const THIS_RUN = 'this run';

/** Expectations and the baseline, which a run must meet at its end. */
type PassCriteria = Awaited<ReturnType<typeof readPassCriteria>>;

/** Reads the criteria before the run. Throws if one of them is invalid. */
export async function readPassCriteria(cliOptions: CliOptions, options: Options, process: CliProcess) {
  const { expect, baseline, allowCached } = cliOptions;
  return {
    cliOptions,
    expectations: expect.map((text) => parseExpectation(text, listSteps(options))),
    baseline: baseline === undefined ? undefined : await readBaseline(baseline, allowCached, process),
  };
}

async function readBaseline(file: string, allowCached: boolean, process: CliProcess) {
  try {
    const results = await readResultFile(file, process);
    return { subject: toComparisonSide(file, results, allowCached), results };
  } catch (error) {
    if (!(error instanceof GobonnieError)) throw error;
    const isMissing = hasCode(error.cause, 'ENOENT');
    throw optionError(
      fileOptionMessage('baseline', file, error),
      isMissing ? msg`create it first with ${flag('out', file)}` : error.hint,
      { cause: error },
    );
  }
}

/** Rejects a baseline that is not comparable with this run, before the run starts. */
export function rejectUnlikeBaseline(
  { baseline, cliOptions }: PassCriteria,
  plan: RunPlan,
  job: Report['job'],
): void {
  if (!baseline) return;
  const report = { ...emptyReport(plan), job };
  const after = { name: THIS_RUN, properties: comparedProperties({ report, runs: [] }) };
  const steps = plan.steps.map(({ name }) => name);
  const differences = previewDifferences(baseline.subject, after, steps);
  if (differences.length > 0 && !cliOptions.force)
    throw incomparableError({ before: baseline.subject.name, after: THIS_RUN, differences });
}

type Evaluation = ReturnType<typeof evaluateReport>;

/**
 * Evaluates a run. The returned report includes the verdicts on the expectations. A run that did not complete has no
 * verdicts.
 */
export function evaluateReport(report: Report, criteria: PassCriteria) {
  const { expectations, baseline, cliOptions } = criteria;
  const { allowCached, strict } = cliOptions;
  if (report.outcome.state !== 'completed')
    return { report, baseline: undefined, exitCode: EXIT_CODES.success };
  const results = expectations.map((expectation) => evaluateExpectation(expectation, report, allowCached));
  const comparison = compareWithBaseline(report, criteria, 'final');
  const verdicts = comparison ? [findWorstVerdict(comparison)] : [];
  const meetsExpectations = results.every(({ passed }) => passed);
  return {
    report: results.length > 0 ? { ...report, expectations: results } : report,
    baseline: baseline && comparison && { results: baseline.results, comparison },
    exitCode: meetsExpectations ? comparisonExitCode(verdicts, strict) : EXIT_CODES.unmet,
  };
}

/** True if more runs would not change what the comparison with the baseline says. */
export function isBaselineDecided(report: Report, criteria: PassCriteria): boolean {
  const comparison = compareWithBaseline(report, criteria, 'interim');
  return !comparison || isDecided(comparison);
}

function compareWithBaseline(report: Report, { baseline, cliOptions }: PassCriteria, stage: Stage) {
  if (!baseline) return undefined;
  const { maxRegression, force, allowCached } = cliOptions;
  const after = toComparisonSide(THIS_RUN, [toResults(report)], allowCached);
  return compareSides(baseline.subject, after, { maxRegressionPercent: maxRegression, force, stage });
}

export function comparisonExitCode(verdicts: readonly (ComparisonVerdict | null)[], isStrict: boolean) {
  if (verdicts.includes(null)) return EXIT_CODES.usage;
  const isUnmet = verdicts.includes('regression') || verdicts.includes('cached');
  return isUnmet || (isStrict && verdicts.includes('inconclusive')) ? EXIT_CODES.unmet : EXIT_CODES.success;
}

type Verbosity = Pick<CliOptions, 'quiet' | 'verbose'>;

/**
 * Returns lines for stderr, or for a log if the screen is null; if quiet, only failed expectations, regressions and
 * inconclusive results.
 */
export function evaluationLines(
  { report: { expectations = [] }, baseline, exitCode }: Evaluation,
  verbosity: Verbosity,
  paint: Paint,
  screen: Screen | null,
): readonly string[] {
  const { good, bad } = paint;
  const comparison = baseline?.comparison;
  const { conclusion, details } = comparisonLines(comparison, verbosity, paint, screen);
  const missed = expectations.filter(({ passed }) => !passed).map((one) => bad(expectationLine(one)));
  const shown = verbosity.quiet ? [] : expectations.filter(({ passed }) => passed);
  const met = shown.map(expectationLine);
  if (comparison && exitCode === EXIT_CODES.usage)
    missed.unshift(`gobonnie: ${incomparableError(comparison).line}`);
  if (screen)
    return [...details, ...conclusion, ...met.map(good), ...missed].map((line) =>
      transliterate(line, screen),
    );
  // A log begins with the failures, and is short.
  return [...missed, ...conclusion, ...(met.length > 0 ? [good(met.join('; '))] : []), ...details];
}

/** Returns only the inconclusive results if quiet and nothing regressed. A log has the table only after a failure. */
function comparisonLines(
  comparison: Comparison | undefined,
  { quiet, verbose }: Verbosity,
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
  const isBrief = !verbose && (verdict === 'pass' || verdict === 'inconclusive');
  const conclusion = describeComparison(comparison).map(sanitize);
  const details = lines.filter((line) => line !== '' && !conclusion.includes(line));
  return { conclusion, details: details.filter((line) => !isBrief || line.startsWith('difference: ')) };
}
