import type { Plan } from '../plan/plan.js';
import { groupsOf } from '../text/groups.js';
import { draft } from './empty-report.js';
import type { Report } from './schema/report.js';
import { statisticsOfRuns } from './statistics/figures.js';
import { warningKey } from './warning-catalogue.js';

/** Reports of the same plan, each of its own time, as the one that they are together. */
export function gathered(plan: Plan, parts: readonly Report[]): Report {
  const [first] = parts;
  const last = parts.at(-1);
  if (!first || !last) return draft(plan, new Date());
  // What was stopped before it measured anything knows nothing of that.
  const measured = parts.findLast((part) => part.runs.length > 0) ?? last;
  const runs = parts.flatMap((part) => part.runs);
  return {
    ...draft(plan, new Date(first.startedAt)),
    target: measured.target,
    cache: measured.cache,
    runs,
    statistics: statisticsOfRuns(runs),
    warnings: groupsOf(
      parts.flatMap(({ warnings }) => warnings),
      warningKey,
    ).map(([one]) => one),
    outcome: last.outcome,
  };
}
