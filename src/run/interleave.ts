import type { RunPlan } from '../plan/plan.js';
import type { RunEvent } from '../report/events/event-record.js';
import type { Outcome, Report } from '../report/schema/report.js';
import { computeRunStatistics } from '../report/statistics/step-statistics.js';
import type { Watcher } from '../scratch/watcher/watcher.js';
import { groupBy } from '../text/group-by.js';
import { MS_PER_SECOND } from '../text/units.js';
import { mergeRunWarnings } from '../warnings/run-warnings.js';
import { warningKey } from '../warnings/warning-catalogue.js';
import { emptyReport } from './empty-report.js';
import { execute } from './execute.js';
import { spreadWarnings } from './repeat.js';
import type { ExecuteHooks } from './run-context.js';

export interface InterleaveHooks extends Pick<ExecuteHooks, 'signal' | 'allowCached'> {
  /** Called with each event, its plan, and the number of the plan's run, starting at 1. */
  readonly onEvent: (event: RunEvent, plan: RunPlan, run: number) => void;
  /** Called after each round with the reports so far. */
  readonly hasEnoughRounds: (reports: readonly Report[], elapsedSeconds: number) => boolean;
}

/** Runs several plans in turn. Stops after the first run that does not complete. */
export async function runInterleaved(
  plans: readonly RunPlan[],
  { signal, onEvent, hasEnoughRounds, allowCached }: InterleaveHooks,
  watcher: Watcher,
): Promise<readonly Report[]> {
  const entries = plans.map((plan) => ({ plan, parts: [] as Report[], report: emptyReport(plan) }));
  let outcome: Outcome = { state: 'completed' };
  const measure = async (entry: (typeof entries)[number], round: number) => {
    const { plan, parts } = entry;
    const onRunEvent = (event: RunEvent) => onEvent(event, plan, round);
    const hooks = { signal, onEvent: onRunEvent, skipsCeiling: round > 1, allowCached };
    const options = { ...plan.options, runs: 1, seconds: 0, untilStable: undefined };
    const part = await execute({ ...plan, options }, hooks, watcher);
    parts.push(part);
    entry.report = mergeReports(plan, parts);
    outcome = part.outcome;
    return outcome.state === 'completed';
  };
  const isLastRound = (_: number, elapsedSeconds: number) => {
    const reports = entries.map(({ report }): Report => ({ ...report, outcome: { state: 'running' } }));
    return hasEnoughRounds(reports, elapsedSeconds);
  };
  if (!(await measureInTurn(entries, measure, isLastRound)))
    return entries.map(({ report }) => abortReport(outcome, report));
  return entries.map(({ plan, report }) => ({
    ...report,
    warnings: [...report.warnings, ...spreadWarnings(report, plan.options)],
  }));
}

/**
 * Measures several sides in turn, each once per round, so a disturbance affects all sides alike. Rounds count from 1.
 * Returns false as soon as `measure` does.
 */
export async function measureInTurn<Side>(
  sides: readonly Side[],
  measure: (side: Side, round: number) => Promise<boolean>,
  isLastRound: (round: number, elapsedSeconds: number) => boolean,
): Promise<boolean> {
  const startMs = performance.now();
  for (let round = 1; ; round++) {
    // Alternate A B and B A: the second run may find the device warm or throttled.
    for (const side of round % 2 === 1 ? sides : sides.toReversed())
      if (!(await measure(side, round))) return false;
    if (isLastRound(round, (performance.now() - startMs) / MS_PER_SECOND)) return true;
  }
}

/** Merges the reports of several runs of the same plan. */
export function mergeReports(plan: RunPlan, parts: readonly Report[]): Report {
  const [first] = parts;
  const last = parts.at(-1);
  if (!first || !last) return emptyReport(plan);
  // A report that ended before its first run does not show whether the page cache could be dropped.
  const lastMeasured = parts.findLast((part) => part.runs.length > 0) ?? last;
  const runs = parts.flatMap((part) => part.runs);
  const merged = {
    ...emptyReport(plan, new Date(first.startedAt)),
    target: lastMeasured.target,
    cache: lastMeasured.cache,
    runs,
    statistics: computeRunStatistics(runs),
    ...(first.memoryCeiling !== undefined && { memoryCeiling: first.memoryCeiling }),
    warnings: groupBy(
      parts.flatMap(({ warnings }) => warnings),
      warningKey,
    ).map(([one]) => one),
    outcome: last.outcome,
  };
  return { ...merged, warnings: mergeRunWarnings(merged) };
}

/** Marks a report as aborted because another plan's run did not complete. */
function abortReport(outcome: Outcome, report: Report): Report {
  if (report.outcome.state !== 'completed' && report.outcome.state !== 'running') return report;
  const reason = outcome.state === 'aborted' ? outcome.reason : 'a failure in another directory';
  return { ...report, outcome: { state: 'aborted', reason } };
}
