import type { RunPlan } from '../plan/plan.js';
import type { RunEvent } from '../report/events/event-record.js';
import type { Outcome, Report } from '../report/schema/report.js';
import type { Watcher } from '../scratch/watcher/watcher.js';
import { MS_PER_SECOND } from '../text/units.js';
import { emptyReport } from './empty-report.js';
import { execute } from './execute.js';
import { spreadWarnings } from './repeat.js';
import type { ExecuteHooks } from './run-context.js';

export interface InterleaveHooks extends Pick<ExecuteHooks, 'signal' | 'allowCached'> {
  /** The limit of a comparison. Null without one. */
  readonly maxRegressionPercent: number | null;
  /** Called with each event, its plan, and the number of the plan's run, starting at 1. */
  readonly onEvent: (event: RunEvent, plan: RunPlan, run: number) => void;
  /** Called after each round with the reports so far. */
  readonly hasEnoughRounds: (reports: readonly Report[], elapsedSeconds: number) => boolean;
}

/** Runs several plans in turn. Stops after the first run that does not complete, whose outcome it returns. */
export async function runInterleaved(
  plans: readonly RunPlan[],
  { signal, onEvent, hasEnoughRounds, allowCached = false, maxRegressionPercent }: InterleaveHooks,
  watcher: Watcher,
): Promise<{ readonly reports: readonly Report[]; readonly outcome: Outcome }> {
  const ab = { maxRegressionPercent, allowCached };
  const entries = plans.map((plan) => ({ plan, report: { ...emptyReport(plan), ab } }));
  let outcome: Outcome = { state: 'completed' };
  const measure = async ({ plan, report }: (typeof entries)[number], round: number) => {
    const hooks = { signal, allowCached, onEvent: (event: RunEvent) => onEvent(event, plan, round) };
    const options = { ...plan.options, runs: 1, seconds: 0, untilStable: undefined };
    await execute({ ...plan, options }, hooks, watcher, report);
    outcome = report.outcome;
    return outcome.state === 'completed';
  };
  const isLastRound = (_: number, elapsedSeconds: number) => {
    const reports = entries.map(({ report }): Report => ({ ...report, outcome: { state: 'running' } }));
    return hasEnoughRounds(reports, elapsedSeconds);
  };
  const isComplete = await measureInTurn(entries, measure, isLastRound);
  const reports = entries.map(({ plan, report }) => {
    if (!isComplete) return abortReport(outcome, report);
    return { ...report, warnings: [...report.warnings, ...spreadWarnings(report.runs, plan.options)] };
  });
  return { reports, outcome };
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

/** Marks a report as aborted because another plan's run did not complete. */
function abortReport(outcome: Outcome, report: Report): Report {
  if (report.outcome.state !== 'completed' && report.outcome.state !== 'running') return report;
  const reason = outcome.state === 'aborted' ? outcome.reason : 'a failure in another directory';
  return { ...report, outcome: { state: 'aborted', reason } };
}
