import { groupsOf } from '../groups.js';
import type { Plan } from '../plan.js';
import { draft } from './draft.js';
import { statisticsOfRuns } from './figures.js';
import type { Report } from './report.js';
import { subjectOfWarning } from './warnings.js';

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
      subjectOfWarning,
    ).map(([one]) => one),
    outcome: last.outcome,
  };
}
