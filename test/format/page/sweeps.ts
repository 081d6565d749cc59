import type { Report } from '../../../src/report/schema/report.js';
import { stepsReport } from '../../support/data/step-reports.js';

/** The rate stops growing at this number of threads. */
export const KNEE_THREADS = 4;

/** Returns a report of mixed operations of 4 KiB and of 64 KiB with these numbers of threads. */
export function sweepReport(threads: readonly number[], facts: Partial<Report> = {}): Report {
  const steps = [4, 64].flatMap((kib) =>
    threads.map((count) => ({
      step: { name: `rnd${kib}k-t${count}.mix70`, threads: count, ioBytes: 1024 * kib, mixPercent: 70 },
      rates: [1, 1.01, 1.02].map((drift) => drift * kib * 1e6 * Math.min(KNEE_THREADS, count)),
    })),
  );
  return stepsReport(steps, facts);
}
