import type { Plan } from '../plan/plan.js';
import type { RunEvent } from '../report/events/event.js';
import type { Outcome, Report } from '../report/schema/report.js';
import type { Watcher } from '../scratch/watcher.js';
import { MS_PER_SECOND } from '../text/units.js';
import type { RunHooks } from './context.js';
import { mergeReports } from './merge-reports.js';
import { isEnough, unstableWarning } from './repeat.js';
import { execute } from './run.js';

export interface AlternationHooks extends Pick<RunHooks, 'signal'> {
  /** Called with each event and the index of its plan. */
  readonly onEvent?: (event: RunEvent, index: number) => void;
  /** After each round: the reports so far. */
  readonly onRound?: (reports: readonly Report[]) => void;
}

/**
 * Runs several plans in turn, one run of each per round, so that a disturbance affects all of them alike. Ends with the
 * first run that does not complete.
 */
export async function alternate(
  plans: readonly Plan[],
  { signal, onEvent = () => {}, onRound = () => {} }: AlternationHooks,
  watcher: Watcher,
): Promise<readonly Report[]> {
  const parts: Report[][] = plans.map(() => []);
  const gatherAll = () => plans.map((plan, index) => mergeReports(plan, parts[index] ?? []));
  const startMs = performance.now();
  let reports: readonly Report[];
  do {
    for (const index of inTurn(plans.length, parts[0]?.length ?? 0)) {
      const plan = plans[index];
      if (!plan) continue;
      const part = await execute(
        onceOf(plan),
        { signal, onEvent: (event) => onEvent(event, index) },
        watcher,
      );
      parts[index]?.push(part);
      if (part.outcome.state !== 'completed') return gatherAll().map((one) => endedBy(part.outcome, one));
    }
    reports = gatherAll();
    onRound(reports.map((report) => ({ ...report, outcome: { state: 'running' } })));
  } while (!areEnough(reports, plans, (performance.now() - startMs) / MS_PER_SECOND));
  return reports.map((report, index) => withUnstable(report, plans[index]));
}

function areEnough(reports: readonly Report[], plans: readonly Plan[], elapsedSeconds: number): boolean {
  return plans.every(({ options }, index) => isEnough(reports[index]?.runs ?? [], elapsedSeconds, options));
}

/** When one run does not complete, the other reports are aborted. */
function endedBy(outcome: Outcome, report: Report): Report {
  if (report.outcome.state !== 'completed' && report.outcome.state !== 'running') return report;
  const reason = outcome.state === 'aborted' ? outcome.reason : 'the failure in another directory';
  return { ...report, outcome: { state: 'aborted', reason } };
}

function withUnstable(report: Report, plan: Plan | undefined): Report {
  const unstable = plan && unstableWarning(report.runs, plan.options);
  return unstable ? { ...report, warnings: [...report.warnings, unstable] } : report;
}

/** A B, then B A: whichever comes second may find the device warm or throttled. */
function inTurn(count: number, round: number): readonly number[] {
  const forth = Array.from({ length: count }, (_, index) => index);
  return round % 2 === 0 ? forth : forth.toReversed();
}

function onceOf(plan: Plan): Plan {
  return { ...plan, options: { ...plan.options, runs: 1, seconds: 0, untilStable: undefined } };
}
