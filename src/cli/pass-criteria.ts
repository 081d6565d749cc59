import { evaluateExpectation, notOfJob, parseExpectation } from '../checks/expectation.js';
import {
  compareSides,
  findFailures,
  findWorstVerdict,
  isDecided,
  previewDifferences,
} from '../compare/comparison.js';
import type { Comparison } from '../compare/comparison-schema.js';
import { incomparableError, reportProperties } from '../compare/differences.js';
import type { Stage } from '../compare/power.js';
import { toComparisonSide } from '../compare/side.js';
import { GobonnieError, optionError } from '../errors.js';
import { formatsByExtension } from '../format/index.js';
import { listSteps } from '../options/measured-steps.js';
import type { RunPlan } from '../plan/plan.js';
import { toResults } from '../report/results.js';
import type { Report } from '../report/schema/report.js';
import { hasCode } from '../system-error.js';
import { flag, msg } from '../text/message-template.js';
import { fileOptionMessage } from './argv/dialect.js';
import type { Settings } from './config/settings.js';
import { EXIT_CODES } from './exit-codes.js';
import { readResultFile } from './files/input-file.js';
import { findByExtension } from './files/report-files.js';
import type { CliProcess, Terminal } from './output/terminal.js';

const THIS_RUN = 'this run';
/** Enough to tell a regression from noise. */
const BASELINE_RUNS = 20;

/** Expectations and the baseline, which a run must meet at its end. */
type PassCriteria = Awaited<ReturnType<typeof readPassCriteria>>;

/** Reads the criteria before the run. Throws if one of them is invalid. Only a rank that prints has criteria. */
export async function readPassCriteria(
  { cliOptions, options }: Settings,
  isJob: boolean,
  { process, isSilent }: Terminal,
) {
  const { expect, baseline, allowCached } = isSilent
    ? { ...cliOptions, expect: [], baseline: undefined }
    : cliOptions;
  const expectations = expect.map((text) => parseExpectation(text, listSteps(options)));
  const ofHosts = expectations.find(({ metric }) => metric.quantity === 'slowest');
  if (ofHosts && !isJob) {
    const { reason, hint } = notOfJob(ofHosts.step);
    throw optionError(msg`${flag('expect', ofHosts.condition)}: ${reason}`, hint);
  }
  return {
    cliOptions,
    expectations,
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
      isMissing
        ? msg`create it first: leave out ${flag('baseline')} and its options, and pass ${flag('runs', BASELINE_RUNS)} ${flag('out', readableName(file))}`
        : error.hint,
      { cause: error },
    );
  }
}

/** Returns a file of --out that can be a baseline. */
function readableName(file: string): string {
  const format = findByExtension(formatsByExtension, file);
  return format === 'report' || format === 'ndjson' ? file : `${file}.json`;
}

/** Rejects a baseline that is not comparable with this run. The report has no results yet. */
export function rejectUnlikeBaseline(
  { baseline, cliOptions }: PassCriteria,
  start: Report,
  { steps }: RunPlan,
): void {
  if (!baseline) return;
  const after = { name: THIS_RUN, properties: [reportProperties(start)] };
  const differences = previewDifferences(
    baseline.subject,
    after,
    steps.map(({ name }) => name),
  );
  if (differences.length > 0 && !cliOptions.force)
    throw incomparableError({ before: baseline.subject.name, after: THIS_RUN, differences });
}

/** A report and what the criteria say about it. Every output is rendered from it. */
export type Verdict = ReturnType<typeof evaluateReport>;

/**
 * Evaluates a run. The returned report includes the verdicts on the expectations. A run that did not complete has no
 * verdicts. The exit code is the one of a completed run.
 */
export function evaluateReport(report: Report, criteria: PassCriteria) {
  const { expectations, baseline, cliOptions } = criteria;
  const { allowCached, strict } = cliOptions;
  if (report.outcome.state !== 'completed')
    return { report, baseline: undefined, exitCode: EXIT_CODES.success };
  const results = expectations.map((expectation) => evaluateExpectation(expectation, report, allowCached));
  const comparison = compareWithBaseline(report, criteria, 'final');
  const comparisons = comparison ? [comparison] : [];
  const meetsExpectations = results.every(({ passed }) => passed);
  return {
    report: results.length > 0 ? { ...report, expectations: results } : report,
    baseline: baseline && comparison && { results: baseline.results, comparison, strict },
    exitCode: meetsExpectations ? comparisonExitCode(comparisons, strict) : EXIT_CODES.unmet,
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

export function comparisonExitCode(comparisons: readonly Comparison[], strict: boolean): number {
  if (comparisons.some((one) => one.maxRegressionPercent !== null && findWorstVerdict(one) === null))
    return EXIT_CODES.usage;
  const isUnmet = comparisons.some((one) => findFailures(one, strict).length > 0);
  return isUnmet ? EXIT_CODES.unmet : EXIT_CODES.success;
}
