import { describe, expect, test } from 'vitest';
import { GobonnieError } from '../../src/errors.js';
import { Job } from '../../src/hosts/job.js';
import type { RankInfo } from '../../src/hosts/rank-info.js';
import type { Warning } from '../../src/report/schema/report.js';
import { measurementWith } from '../support/data/fixtures.js';
import { inMemoryCommunicators } from '../support/launchers/in-memory-communicators.js';

const RANK_INFO: RankInfo = {
  version: '1.0.0',
  host: 'h0',
  boot: 'a',
  cores: 4,
  memoryBytes: 1e9,
  filesystemBytes: 1e12,
  options: { size: 1, seed: null },
};
const PLAN = { threads: 2, size: 1, seed: 7, ranksSharing: { 1e12: 3 } };
const DISK_FULL = new GobonnieError('phase-failed', 'the disk is full', 'free some space');

function jobs(size: number): readonly Job[] {
  return inMemoryCommunicators(size).map((communicator) => new Job(communicator));
}

/** The message of the error that each rank throws, or null. */
async function collectFailures(works: readonly Promise<unknown>[]): Promise<readonly (string | null)[]> {
  const outcomes = await Promise.allSettled(works);
  return outcomes.map((end) => (end.status === 'rejected' ? (end.reason as Error).message : null));
}

/** Runs a phase that fails before or after the gate, or succeeds. */
function runPhase(job: Job, failing: 'before' | 'after' | null, warnings: readonly Warning[] = []) {
  return job.measure(async () => {
    if (failing === 'before') throw DISK_FULL;
    await job.gate();
    if (failing === 'after') throw DISK_FULL;
    return { measurement: measurementWith(), gateNs: process.hrtime.bigint() };
  }, warnings);
}

describe('at the start', () => {
  const agree = (all: readonly Job[], rankInfo: (rank: number) => RankInfo) =>
    all.map((job, rank) => job.agreeOnPlan(rankInfo(rank), () => PLAN));

  test("all ranks receive rank 0's decision, and its report names the hosts", async () => {
    const all = jobs(3);
    const agreements = await Promise.all(
      agree(all, (rank) => ({ ...RANK_INFO, host: rank < 2 ? 'h0' : 'h1' })),
    );
    const agreed = { ...PLAN, sources: [2, 0, 1] };
    expect(agreements).toEqual([agreed, agreed, agreed]);
    expect(all[0]?.record).toEqual({
      ranks: 3,
      readSource: 'next-host',
      hosts: [
        { name: 'h0', ranks: 2, cores: 4, memoryBytes: 1e9 },
        { name: 'h1', ranks: 1, cores: 4, memoryBytes: 1e9 },
      ],
    });
  });

  test.each([
    [{ ...RANK_INFO, options: { size: 2, seed: null } }, 'rank 1 on h0 has --size 2, but rank 0 has 1'],
    [{ ...RANK_INFO, version: '0.9' }, 'rank 1 on h0 runs gobonnie 0.9, but rank 0 on h0 runs 1.0.0'],
  ])('if a rank differs from rank 0, all ranks throw the same error: %#', async (other, message) => {
    const all = jobs(2);
    const failures = await collectFailures(agree(all, (rank) => (rank === 1 ? other : RANK_INFO)));
    expect(failures).toEqual([message, message]);
    expect(all.map(({ isReported }) => isReported)).toEqual([true, true]);
  });

  test("if rank 0's plan fails, all ranks throw the same error", async () => {
    const all = jobs(2);
    const fail = () => {
      throw DISK_FULL;
    };
    const failures = await collectFailures(all.map((job) => job.agreeOnPlan(RANK_INFO, fail)));
    expect(failures).toEqual(['the disk is full', 'the disk is full']);
  });

  test("rank 0 receives another rank's failure before the agreement", async () => {
    const [first, second] = jobs(2);
    const failures = collectFailures([first?.agreeOnPlan(RANK_INFO, () => PLAN) ?? Promise.resolve()]);
    await second?.fail(DISK_FULL);
    expect(await failures).toEqual(['rank 1: the disk is full']);
  });
});

describe('in a phase', () => {
  test('rank 0 returns the merged measurement, and other ranks return their own', async () => {
    const all = jobs(3);
    const [first, ...others] = await Promise.all(all.map((job) => runPhase(job, null)));
    expect(first?.measurement.ranks).toHaveLength(3);
    expect(first?.measurement.bytes).toBe(3 * measurementWith().bytes);
    for (const other of others) expect(other?.measurement.bytes).toBe(measurementWith().bytes);
  });

  test.each(['before', 'after'] as const)(
    "one rank's failure %s the gate fails all ranks, and rank 0 records the other ranks' rows",
    async (when) => {
      const all = jobs(3);
      const failures = await collectFailures(all.map((job, rank) => runPhase(job, rank === 1 ? when : null)));
      expect(failures).toEqual(['rank 1: the disk is full', 'the disk is full', 'rank 1: the disk is full']);
      expect(all[0]?.record.failedStep?.step).toBe('write');
      expect(all[0]?.record.failedStep?.ranks.map(({ rank }) => rank)).toEqual([0, 2]);
    },
  );

  test('a failure after the failed step does not wait for other ranks', async () => {
    const all = jobs(2);
    await collectFailures(all.map((job, rank) => runPhase(job, rank === 1 ? 'after' : null)));
    await Promise.all(all.map((job) => job.fail(DISK_FULL)));
    expect(all.map(({ isReported }) => isReported)).toEqual([true, true]);
  });

  test('a rank that never arrives is reported after the timeout', async () => {
    const [first] = jobs(2);
    if (first) first.timeoutSeconds = 0.05;
    const failures = await collectFailures([first?.step(async () => {}) ?? Promise.resolve()]);
    expect(failures[0]).toMatch(/^timed out after 0.05 s waiting for the other ranks/);
  });
});

describe('a warning of another rank', () => {
  const WARNING = {
    code: 'no-cleanup-process',
    step: null,
    message: 'the clean-up process ended',
    hint: 'run gobonnie clean',
  } as const;

  /** Measures one phase for each of these lists of all warnings so far, one rank per host. Rank 0 has none. */
  async function receivedWarnings(size: number, ...lists: readonly (readonly Warning[])[]) {
    const all = jobs(size);
    await Promise.all(
      all.map((job, rank) => job.agreeOnPlan({ ...RANK_INFO, host: `h${rank}` }, () => PLAN)),
    );
    const received = [];
    for (const warnings of lists) {
      const joints = all.map((job) => runPhase(job, null, job.isFirst ? [] : warnings));
      received.push((await Promise.all(joints)).map((joint) => joint?.warnings));
    }
    return received;
  }

  test('reaches rank 0 once, with the hosts that it applies to', async () => {
    const message = `on h1, h2: ${WARNING.message}`;
    expect(await receivedWarnings(3, [WARNING], [WARNING])).toEqual([
      [[{ ...WARNING, message, hosts: ['h1', 'h2'] }], [], []],
      [[], [], []],
    ]);
  });

  test('from many hosts names three of them and counts the others', async () => {
    const [[warnings] = []] = await receivedWarnings(7, [WARNING]);
    expect(warnings?.[0]?.message).toBe(`on h1, h2, h3 and 3 other hosts: ${WARNING.message}`);
  });

  test('about a measurement stays there: rank 0 derives it from the merged measurement', async () => {
    const cached: Warning = { ...WARNING, code: 'served-from-cache', step: 'read' };
    expect(await receivedWarnings(2, [cached])).toEqual([[[], []]]);
  });
});

describe('the directories of the ranks', () => {
  const HOSTS = ['h0', 'h0', 'h1'];

  async function share(areVisible: (names: readonly string[]) => boolean) {
    const all = jobs(HOSTS.length);
    await Promise.all(
      all.map((job, rank) => job.agreeOnPlan({ ...RANK_INFO, host: HOSTS[rank] ?? '' }, () => PLAN)),
    );
    const shared = await Promise.all(all.map((job, rank) => job.shareDirectory(`of ${rank}`, areVisible)));
    return { shared, readSource: all[0]?.record.readSource };
  }

  test('are those of rank 0 and of a rank on the next host', async () => {
    const firstName = 'of 0';
    expect(await share(() => true)).toEqual({
      shared: [
        { firstName, source: 2, sourceName: 'of 2' },
        { firstName, source: 0, sourceName: 'of 0' },
        { firstName, source: 1, sourceName: 'of 1' },
      ],
      readSource: 'next-host',
    });
  });

  test('are not shared by any rank if rank 0 does not see one of them', async () => {
    const { shared, readSource } = await share((names) => !names.includes('of 1'));
    expect(shared).toEqual([null, null, null]);
    expect(readSource).toBe('own-not-shared');
  });
});

test('each rank gets what the rank has created whose files it uses', async () => {
  const all = jobs(2);
  await Promise.all(all.map((job, rank) => job.agreeOnPlan({ ...RANK_INFO, host: `h${rank}` }, () => PLAN)));
  const joints = all.map((job, rank) =>
    job.measure(async () => ({ measurement: measurementWith(), gateNs: 1n, created: [rank, 5] })),
  );
  expect((await Promise.all(joints)).map((joint) => joint?.sourceCreated)).toEqual([
    [1, 5],
    [0, 5],
  ]);
});

test('a failure after the last phase fails all ranks, and later failures do not wait for other ranks', async () => {
  const [first, second] = jobs(2);
  const failures = collectFailures([first?.finish() ?? Promise.resolve()]);
  await second?.fail(DISK_FULL);
  expect(await failures).toEqual(['rank 1: the disk is full']);

  const [one, other] = jobs(2);
  await Promise.all([one?.finish(), other?.finish()]);
  await one?.fail(DISK_FULL);
});
