import { expect, test } from 'vitest';
import { renderReport, reportFormats } from '../../src/format/index.js';
import { Job } from '../../src/hosts/job.js';
import { type Measurement, reportSchema } from '../../src/report/schema/report.js';
import { sum } from '../../src/report/statistics/statistics.js';
import { KIB, MIB } from '../../src/text/units.js';
import { reportWith, runWith } from '../support/data/fixtures.js';
import { PHASES, rankFacts, rankMeasurement } from '../support/data/ranks.js';
import { seededRandom } from '../support/data/seeded-random.js';
import { DIALECTS, joinAll, startPmiServer } from '../support/launchers/pmi-server.js';

const RANKS = 1024;
/** The number of different measurements: simulating one takes longer than sending it to rank 0. */
const DIFFERENT = 32;
const PLAN = { threads: 2, size: 1, seed: 7, ranksSharing: { 1e15: RANKS } };

test("1024 ranks within Slurm's limits send less than 12 KiB each, and their report is below 16 MiB", async () => {
  const random = seededRandom(17);
  const { sockets, store, longestLine } = await startPmiServer(RANKS, DIALECTS.slurm);
  const jobs = (await joinAll(sockets)).map((communicator) => new Job(communicator));
  await Promise.all(jobs.map((job, rank) => job.agreeOnPlan(rankFacts(rank), () => PLAN)));

  const measurements: Measurement[] = [];
  for (const [at, kind] of PHASES.entries()) {
    const different = Array.from({ length: DIFFERENT }, () => rankMeasurement(kind, random));
    const parts = jobs.map(() => random.oneOf(different));
    const [joint] = await Promise.all(
      jobs.map((job, rank) =>
        job.measure(async () => {
          await job.gate();
          const measurement = parts[rank];
          return measurement ? { measurement, gateNs: process.hrtime.bigint() } : null;
        }),
      ),
    );
    if (!joint) throw new Error('rank 0 has no measurement');
    measurements.push(joint.measurement);
    expect(joint.measurement.ranks).toHaveLength(RANKS);
    expect(joint.measurement.bytes).toBe(sum(parts.map((part) => part?.bytes ?? 0)));

    // The first step is the agreement.
    const bytesByRank = new Map<string, number>();
    for (const [key, value] of store) {
      const [, rank = ''] = new RegExp(`^(\\d+)[.]result[.]${at + 2}(?:$|[.])`).exec(key) ?? [];
      bytesByRank.set(rank, (bytesByRank.get(rank) ?? 0) + key.length + value.length);
    }
    bytesByRank.delete('');
    expect(bytesByRank.size).toBe(RANKS);
    expect(Math.min(...bytesByRank.values())).toBeGreaterThan(KIB);
    expect(Math.max(...bytesByRank.values())).toBeLessThan(12 * KIB);
  }
  expect(longestLine()).toBeLessThanOrEqual(DIALECTS.slurm.lineLength);

  const report = reportWith({ runs: [runWith({ measurements })], job: jobs[0]?.record });
  const text = renderReport(reportFormats.report, report);
  expect(reportSchema.parse(JSON.parse(text))).toEqual(report);
  expect(report.job?.hosts).toHaveLength(RANKS / 8);
  expect(text.length).toBeLessThan(16 * MIB);
  await Promise.all(jobs.map((job) => job.leave(0)));
});
