import { expect } from 'vitest';
import type { Report } from '../../../src/report/schema/report.js';

const STONEWALL_SECONDS = 0.1;
/** Arguments with more work than any machine does until --stonewall. --verify fails if a rank reads unwritten data. */
export const STOPPED = (
  '--size 1 --block-size 1k --files 50000 --directories 3 --threads 2 --cache keep --verify --seeks 1000 ' +
  `--phases write,rewrite,read,seeks,create,stat,delete --stonewall ${STONEWALL_SECONDS}`
).split(' ');

/** Expects that each rank used all that the rank `source(rank)` had created, or less if it was stopped. */
export function expectOnlyCreatedUsed({ runs }: Report, source: (rank: number) => number): void {
  const measured = (phase: string) =>
    runs[0]?.measurements.find((measurement) => measurement.step === phase)?.ranks ?? [];
  for (const [creator, users] of [
    ['write', ['rewrite', 'read']],
    ['create', ['stat', 'delete']],
  ] as const) {
    const created = measured(creator);
    for (const user of users)
      for (const [rank, { operations, seconds }] of measured(user).entries()) {
        const amount = created[user === 'delete' ? rank : source(rank)]?.operations ?? 0;
        expect(amount).toBeGreaterThan(0);
        if (seconds < STONEWALL_SECONDS) expect(operations, user).toBe(amount);
        else expect(operations, user).toBeLessThanOrEqual(amount);
      }
  }
}
