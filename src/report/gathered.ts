import type { Plan } from '../plan.js';
import { draft } from './draft.js';
import { statisticsOfRuns } from './figures.js';
import type { Report, Warning } from './report.js';

/** Reports of the same plan, each of its own time, as the one that they are together. */
export function gathered(plan: Plan, parts: readonly Report[]): Report {
  const [first] = parts;
  const last = parts.at(-1);
  if (!first || !last) return draft(plan, new Date());
  const runs = parts.flatMap((part) => part.runs);
  return {
    ...draft(plan, new Date(first.startedAt)),
    target: last.target,
    cache: last.cache,
    runs,
    statistics: statisticsOfRuns(runs),
    warnings: onceEach(parts.flatMap(({ warnings }) => warnings)),
    outcome: last.outcome,
  };
}

/** Every run brings its own. */
function onceEach(warnings: readonly Warning[]): Warning[] {
  const known = new Map<string, Warning>();
  for (const warning of warnings) {
    const key = `${warning.code} ${warning.phase ?? ''}`;
    if (!known.has(key)) known.set(key, warning);
  }
  return [...known.values()];
}
