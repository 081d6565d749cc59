import { comparedProperties, findDifferences, incomparableError } from '../../compare/differences.js';
import { toComparisonSide } from '../../compare/side.js';
import { compareInTurn } from '../../compare/winners.js';
import type { ComparisonDocument } from '../../format/human/comparison-format.js';
import type { Screen } from '../../format/human/screen.js';
import { renderReports, reportFormats } from '../../format/index.js';
import type { Options } from '../../options/options-schema.js';
import { plan, type RunPlan } from '../../plan/plan.js';
import { formatAmount } from '../../report/amount.js';
import type { RunEvent } from '../../report/events/event-record.js';
import { isServedByDevice, primaryRateOf, primaryRateUnit } from '../../report/rate.js';
import { toResults } from '../../report/report-to-results.js';
import { isComplete } from '../../report/results.js';
import type { Outcome, Report, Run } from '../../report/schema/report.js';
import { minMax } from '../../report/statistics/statistics.js';
import { areStable } from '../../report/statistics/step-statistics.js';
import { emptyReport } from '../../run/empty-report.js';
import { runInterleaved } from '../../run/interleave.js';
import { display } from '../../text/escape.js';
import { GIB } from '../../text/units.js';
import { isUrgent } from '../../warnings/warning-catalogue.js';
import type { CliOptions } from '../argv/cli-options.js';
import { stallLine } from '../interruption.js';
import { reportAnnotations } from '../output/github-report.js';
import { formatLogTime, type LogFormatter, logLines, logWarningLines } from '../output/log-format.js';
import { directoryWarningLines } from '../output/terminal-messages.js';
import { initialRunCounter } from '../progress/state.js';
import { countCompleteRuns, runPreflight, type Session } from './session.js';

/** Prepares runs of the benchmark in all directories. */
export function prepareBenchmarkRuns(
  plans: readonly RunPlan[],
  { quiet, verbose, allowCached }: CliOptions,
  log: (line: string) => void,
) {
  let reports: readonly Report[] = [];
  return {
    plans,
    targets: plans.map(({ machine }) => machine.target),
    notes: [],
    outFormats: undefined,
    /** Measures in turn until there are enough rounds, and logs the warnings. */
    async measure(
      { signal, files, watcher, updateProgress, screen, paint }: Session,
      hasEnoughRounds: (rounds: number, elapsedSeconds: number) => boolean,
    ): Promise<Outcome> {
      let hasUrgent = false;
      const onEvent = (event: RunEvent, plan: RunPlan, run: number) => {
        const { runs, seconds, untilStable } = plan.options;
        const counter = initialRunCounter(runs, seconds > 0 || untilStable !== undefined, run);
        updateProgress?.(event, { directory: plan.directory, run: counter });
        if (event.type === 'stall') log(stallLine(event));
        if (event.type === 'warning') {
          // Every run repeats the warning that the watcher is gone. Other warnings are logged after the last run.
          if (hasUrgent || !isUrgent(event.warning)) return;
          hasUrgent = true;
        }
        if (!quiet) for (const line of eventLines(plan.machine.target, event, verbose, screen)) log(line);
      };
      const hooks = {
        signal,
        allowCached,
        onEvent,
        hasEnoughRounds: (reportsSoFar: readonly Report[], elapsedSeconds: number) => {
          reports = reportsSoFar;
          files.update((format) => renderReports(format, reports));
          return hasEnoughRounds(reports[0]?.runs.length ?? 0, elapsedSeconds);
        },
      };
      const measured = await runInterleaved(plans, hooks, watcher);
      reports = measured.reports;
      for (const report of quiet ? [] : reports) {
        const formatLog: LogFormatter = (event) => eventLines(report.target, event, false, screen);
        const lines = screen
          ? directoryWarningLines(report, screen)
          : logWarningLines(report.warnings, formatLog, paint);
        for (const line of lines) log(line);
      }
      return measured.outcome;
    },
    areStable: (withinPercent: number) => reports.every(({ runs }) => areStable(runs, withinPercent)),
    describeCompleted: () => countCompleteRuns(reports.flatMap(({ runs }) => runs)),
    compare: (maxRegressionPercent: number | null, look: 'early' | 'last') =>
      compareReports(reports, allowCached, maxRegressionPercent, look),
    /** Markdown is for people, so the winners come first. */
    writeFiles: ({ files }: Session, result: ComparisonDocument | null, markdown: string) =>
      files.write((format) => {
        const sections = renderReports(format, reports, result ?? undefined);
        return markdown && format === reportFormats.markdown ? `${markdown}\n${sections}` : sections;
      }),
    annotations: () => reports.flatMap(annotateReport),
  };
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
    plans.push(plan(ownOptions, await runPreflight(ownOptions, { dryRun, needsDirectory: true }, log)));
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

/** Throws if plans differ in more than their disks: a device may need larger operations than a step sets. */
function rejectUnlikePlans(plans: readonly RunPlan[]): void {
  const sides = plans.map((planned) => ({
    name: planned.directory,
    properties: comparedProperties({ report: emptyReport(planned), runs: [] }),
  }));
  const [before] = sides;
  for (const after of sides) {
    if (!before) return;
    const { differences } = findDifferences(before, after, true);
    if (differences.length > 0)
      throw incomparableError(
        { before: before.name, after: after.name, differences },
        'pass --steps that suit all directories',
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

/** `write 748.2 MB/s, read 1025 MB/s (partly cached), iops 23832/s`. */
function runLine({ measurements }: Run, { isMemory }: Pick<Report['target'], 'isMemory'>): string {
  return measurements
    .map((measurement) => {
      const text = formatAmount(primaryRateOf(measurement), primaryRateUnit(measurement));
      const isCached = !isMemory && !isServedByDevice(measurement.device.share);
      return `${measurement.step} ${text}${isCached ? ' (partly cached)' : ''}`;
    })
    .join(', ');
}

/**
 * Compares each other directory with the first, in the rounds that every directory completed. Null if no round is
 * complete.
 */
function compareReports(
  reports: readonly Report[],
  allowCached: boolean,
  maxRegressionPercent: number | null,
  look: 'early' | 'last',
) {
  const rounds = Math.min(...reports.map(({ runs }) => runs.filter(isComplete).length));
  if (rounds === 0) return null;
  const sides = reports.map((report) => {
    const results = toResults({ ...report, runs: report.runs.slice(0, rounds) });
    return toComparisonSide(report.target.directory, [results], allowCached);
  });
  return compareInTurn(sides, maxRegressionPercent, look);
}

function annotateReport(report: Report) {
  return reportAnnotations(report).map((annotation) => ({
    ...annotation,
    message: `${display(report.target.directory)}: ${annotation.message}`,
  }));
}
