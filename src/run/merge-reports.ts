import type { RunPlan } from '../plan/plan.js';
import type { Report } from '../report/schema/report.js';
import { computeRunStatistics } from '../report/statistics/phase-statistics.js';
import { groupBy } from '../text/group-by.js';
import { mergeRunWarnings } from '../warnings/run-warnings.js';
import { warningKey } from '../warnings/warning-catalogue.js';
import { emptyReport } from './empty-report.js';

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
