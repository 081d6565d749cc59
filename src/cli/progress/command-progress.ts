import { sanitize } from '../../text/escape.js';
import { MS_PER_SECOND } from '../../text/units.js';
import { formatClock } from './line.js';

/**
 * Keeps the progress of runs of a command, for the line below all printed text. `limitSeconds` is null without a limit;
 * `runs` is the number of runs that count, or null if unknown.
 */
export function createCommandProgress(limitSeconds: number | null, runs: number | null) {
  const startMs = performance.now();
  let completed = 0;
  let completedSeconds = 0;
  let activity = '';
  const elapsedSeconds = () => (performance.now() - startMs) / MS_PER_SECOND;
  const estimateLeftSeconds = () => {
    if (limitSeconds !== null) return limitSeconds - elapsedSeconds();
    if (runs === null || completed === 0) return null;
    return (completedSeconds / completed) * (runs + 1) - elapsedSeconds();
  };
  return {
    update(round: number, side: string, newActivity: string): void {
      if (round - 1 > completed) completedSeconds = elapsedSeconds();
      completed = round - 1;
      activity = sanitize(`${side}: ${newActivity}`);
    },
    /** `run 3, 0:41 left  /dev/shm: npm ci`. */
    format(columns: number): string {
      const run = completed === 0 ? 'first run' : `run ${completed}${runs === null ? '' : `/${runs}`}`;
      const leftSeconds = estimateLeftSeconds();
      const left = leftSeconds === null ? '' : `, ${formatClock(Math.max(0, Math.ceil(leftSeconds)))} left`;
      return `${run}${left}  ${activity}`.slice(0, columns - 1);
    },
  };
}
