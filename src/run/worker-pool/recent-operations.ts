import { RECENT_OPERATIONS, RECORDED_OPERATIONS } from '../../../workers/protocol.js';
import type { TimedOperation } from '../../report/schema/measurement-schema.js';
import { sum } from '../../report/statistics/statistics.js';
import { MS_PER_SECOND, NS_PER_MS, NS_PER_SECOND } from '../../text/units.js';

const MAX_SLOWEST = 20;
/** Pauses are kept for operations in progress. */
const KEPT_SECONDS = 60;

/** In seconds of the step. */
interface Pause {
  readonly from: number;
  readonly to: number;
}

/** Reads the operations that workers with pauses record one by one, and keeps the slowest. */
export function readRecentOperations(
  words: readonly Readonly<Record<'progress' | 'recent', Float64Array>>[],
  elapsedSeconds: () => number,
) {
  const readCounts = words.map(() => 0);
  let pauses: Pause[] = [];
  let slowest: readonly TimedOperation[] = [];
  const pausedSeconds = (start: number, end: number) =>
    sum(pauses.map(({ from, to }) => Math.max(0, Math.min(end, to) - Math.max(start, from))));

  return {
    /** Records that the whole machine has paused until now. */
    addPause(pausedMs: number): void {
      const to = elapsedSeconds();
      pauses.push({ from: to - pausedMs / MS_PER_SECOND, to });
    },
    /** Returns the operations since the last call. */
    take(): readonly TimedOperation[] {
      // The clock of the step stands still while the machine sleeps, but the wall clock does not.
      const startMs = Date.now() - elapsedSeconds() * MS_PER_SECOND;
      const operations = words.flatMap(({ progress, recent }, worker) => {
        const count = progress[RECORDED_OPERATIONS] ?? 0;
        const first = Math.max(readCounts[worker] ?? 0, count - RECENT_OPERATIONS);
        readCounts[worker] = count;
        return Array.from({ length: count - first }, (_, index) => {
          const at = 2 * ((first + index) % RECENT_OPERATIONS);
          const [startNs = 0, latencyNs = 0] = recent.subarray(at, at + 2);
          const paused = pausedSeconds(startNs / NS_PER_SECOND, (startNs + latencyNs) / NS_PER_SECOND);
          const time = new Date(startMs + startNs / NS_PER_MS).toISOString();
          return { time, latencyNs, pausedNs: Math.round(paused * NS_PER_SECOND) };
        });
      });
      slowest = [...slowest, ...operations]
        .toSorted((one, other) => other.latencyNs - one.latencyNs)
        .slice(0, MAX_SLOWEST);
      pauses = pauses.filter(({ to }) => to >= elapsedSeconds() - KEPT_SECONDS);
      return operations;
    },
    slowest: () => slowest,
  };
}
