import { isDecided } from '../../../compare/comparison.js';
import { findDifferences, incomparableError, reportProperties } from '../../../compare/differences.js';
import { compareReportsOfAb } from '../../../compare/winners.js';
import type { ComparisonDocument } from '../../../format/human/commands/comparison-format.js';
import type { Screen } from '../../../format/human/screen.js';
import { renderReports } from '../../../format/index.js';
import type { Options } from '../../../options/options-schema.js';
import { estimateSeconds, estimateWrittenBytes, TYPICAL_DISKS } from '../../../plan/estimate.js';
import { plan, type RunPlan } from '../../../plan/plan.js';
import { formatAmount } from '../../../report/amount.js';
import type { RunEvent } from '../../../report/events/event-record.js';
import { isServedByDevice, primaryRateOf, primaryRateUnit } from '../../../report/rate.js';
import { toResults } from '../../../report/results.js';
import type { Outcome, Report, Run } from '../../../report/schema/report.js';
import { minMax, sum } from '../../../report/statistics/statistics.js';
import { areStable } from '../../../report/statistics/step-statistics.js';
import { emptyReport } from '../../../run/empty-report.js';
import { execute } from '../../../run/execute.js';
import { isEnough, measureInTurn, spreadWarnings } from '../../../run/repeat.js';
import { display } from '../../../text/escape.js';
import { formatBytes, formatSeconds, GIB } from '../../../text/units.js';
import { isUrgent } from '../../../warnings/warning-catalogue.js';
import type { CliOptions } from '../../argv/cli-options.js';
import type { Settings } from '../../config/settings.js';
import { stallLine } from '../../interruption.js';
import { type Annotation, reportAnnotations } from '../../output/github-report.js';
import { formatLogTime, type LogFormatter, logLines, logWarningLines } from '../../output/log-format.js';
import { directoryWarningLines } from '../../output/terminal-messages.js';
import { initialRunCounter } from '../../progress/state.js';
import { countCompleteRuns, runPreflight, type Session } from '../session.js';

/** The results of `ab`, and its annotations for GitHub. */
export interface AbResult {
  /** Null if no round is complete. */
  readonly document: ComparisonDocument | null;
  readonly outcome: Outcome;
  /** The completed part: `5 rounds`. */
  readonly completed: string;
  readonly annotations: readonly Annotation[];
}

/** Measures the directories in turn until there are enough rounds, logs the warnings, and writes the files of --out. */
export async function measureDirectories(
  plans: readonly RunPlan[],
  { options, cliOptions, isOpenEnded }: Settings,
  maxRegressionPercent: number | null,
  { signal, files, watcher, updateProgress, screen, paint }: Session,
  log: (line: string) => void,
): Promise<AbResult> {
  const { quiet, verbose, strict, allowCached } = cliOptions;
  const ab = { maxRegressionPercent, allowCached };
  const sides = plans.map((plan) => ({ plan, report: { ...emptyReport(plan), ab } }));
  let hasUrgent = false;
  let outcome: Outcome = { state: 'completed' };

  const showEvent = (event: RunEvent, { directory, options, machine }: RunPlan, round: number) => {
    const isOpen = options.seconds > 0 || options.untilStable !== undefined;
    updateProgress?.(event, { directory, run: initialRunCounter(options.runs, isOpen, round) });
    if (event.type === 'stall') log(stallLine(event));
    if (event.type === 'warning') {
      // Every run repeats the warning that the watcher is gone. Other warnings are logged after the last run.
      if (hasUrgent || !isUrgent(event.warning)) return;
      hasUrgent = true;
    }
    if (!quiet) for (const line of eventLines(machine.target, event, verbose, screen)) log(line);
  };
  const measureSide = async ({ plan, report }: (typeof sides)[number], round: number) => {
    const onEvent = (event: RunEvent) => showEvent(event, plan, round);
    await execute(plan, { signal, allowCached, onEvent, isSingleRun: true }, watcher, report);
    outcome = report.outcome;
    return outcome.state === 'completed';
  };

  for await (const { round, elapsedSeconds } of measureInTurn(sides, measureSide)) {
    const interim = sides.map(({ report }): Report => ({ ...report, outcome: { state: 'running' } }));
    files.update((format) => renderReports(format, interim));
    const compareInterim = () => compareReportsOfAb(interim.map(toResults), 'interim')?.comparisons ?? [];
    const isSettled = () => !isOpenEnded || compareInterim().every(isDecided);
    const areAllStable = (withinPercent: number) =>
      interim.every(({ runs }) => areStable(runs, withinPercent));
    if (isEnough(round, elapsedSeconds, options, isSettled, areAllStable)) break;
  }

  const reports = sides.map(({ plan, report }) => finishReport(report, outcome, plan));
  for (const report of quiet ? [] : reports) {
    const formatLog: LogFormatter = (event) => eventLines(report.target, event, false, screen);
    const lines = screen ? directoryWarningLines(report, screen) : logWarningLines(report, formatLog, paint);
    for (const line of lines) log(line);
  }
  files.write((format) => renderReports(format, reports, strict));
  return {
    document: compareReportsOfAb(reports.map(toResults)),
    outcome,
    completed: countCompleteRuns(reports.flatMap(({ runs }) => runs)),
    annotations: reports.flatMap(annotateReport),
  };
}

/** Marks a report as aborted if the run in another directory did not complete. */
function finishReport(report: Report, outcome: Outcome, { options }: RunPlan): Report {
  if (outcome.state === 'completed')
    return { ...report, warnings: [...report.warnings, ...spreadWarnings(report.runs, options)] };
  if (report.outcome.state !== 'completed' && report.outcome.state !== 'running') return report;
  const reason = outcome.state === 'aborted' ? outcome.reason : 'a failure in another directory';
  return { ...report, outcome: { state: 'aborted', reason } };
}

/**
 * Plans the same work for all directories: the largest size that fits in every directory, and operations of the largest
 * unit. Throws if the work of a step differs all the same.
 */
export async function planEqualWork(
  directories: readonly string[],
  options: Options,
  { dryRun }: CliOptions,
  log: (line: string) => void,
): Promise<readonly RunPlan[]> {
  const plans: RunPlan[] = [];
  for (const dir of directories) {
    const ownOptions = { ...options, dir };
    plans.push(plan(ownOptions, await runPreflight(ownOptions, { dryRun }, log)));
  }
  const { min: minBytes } = minMax(plans.map(({ totalBytes }) => totalBytes));
  const { max: ioSize } = minMax(plans.map(({ transfer }) => transfer.ioSizeBytes));
  const equalPlans = plans.map((candidate) => {
    const { options, machine, totalBytes, transfer } = candidate;
    if (totalBytes === minBytes && transfer.ioSizeBytes === ioSize) return candidate;
    return plan({ ...options, size: minBytes / GIB, ioSize }, machine);
  });
  rejectUnlikePlans(equalPlans);
  return equalPlans;
}

/** Returns a note about what a comparison without a number of runs may cost. */
export function costLines(plans: readonly RunPlan[], { options, mostRuns }: Settings): readonly string[] {
  if (mostRuns === options.runs) return [];
  const bytes = sum(plans.map((plan) => estimateWrittenBytes(plan, mostRuns)));
  const seconds = sum(plans.map((plan) => estimateSeconds(TYPICAL_DISKS.sataSsd, plan, mostRuns)));
  return [
    `note: ${options.runs} to ${mostRuns} runs in each directory, until the results are decided: up to ` +
      `${formatBytes(bytes)} written, up to ${formatSeconds(seconds)} on a SATA SSD`,
  ];
}

/** Throws if plans differ in more than their disks: a device may need larger operations than a step sets. */
function rejectUnlikePlans(plans: readonly RunPlan[]): void {
  const sides = plans.map((planned) => ({
    name: planned.directory,
    properties: [reportProperties(emptyReport(planned))],
  }));
  const [before] = sides;
  for (const after of sides) {
    if (!before) return;
    const { differences } = findDifferences(before, after, true);
    if (differences.length > 0)
      throw incomparableError(
        { before: before.name, after: after.name, differences },
        'pass values of --step that suit all directories',
      );
  }
}

/** Formats an event as lines that name the directory: the results of a run are one line. Only logs have times. */
function eventLines(
  target: Pick<Report['target'], 'directory' | 'isMemory'>,
  event: RunEvent,
  isVerbose: boolean,
  screen: Screen | null,
): readonly string[] {
  const time = screen ? '' : `${formatLogTime(new Date())} `;
  const prefix = `${time}${display(target.directory)}: `;
  if (event.type === 'run-end') return [prefix + runLine(event.result, target)];
  const lines = isVerbose || event.type === 'warning' ? logLines(event, true) : [];
  return lines.map((line) => prefix + line);
}

/** `write 748.2 MB/s, read 1025 MB/s (partly cached), iops 23832/s (device share unknown)`. */
function runLine({ measurements }: Run, { isMemory }: Pick<Report['target'], 'isMemory'>): string {
  return measurements
    .map((measurement) => {
      const text = formatAmount(primaryRateOf(measurement), primaryRateUnit(measurement));
      const { share } = measurement.device;
      if (isMemory || isServedByDevice(share)) return `${measurement.step} ${text}`;
      return `${measurement.step} ${text} (${share === null ? 'device share unknown' : 'partly cached'})`;
    })
    .join(', ');
}

function annotateReport(report: Report) {
  return reportAnnotations(report).map((annotation) => ({
    ...annotation,
    message: `${display(report.target.directory)}: ${annotation.message}`,
  }));
}
