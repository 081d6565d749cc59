import { describe, expect, test } from 'vitest';
import { GobonnieError } from '../../src/errors.js';
import { Job } from '../../src/job/job.js';
import type { RankInfo } from '../../src/job/rank-info.js';
import type { Measurement } from '../../src/report/schema/report.js';
import { measurementWith } from '../support/data/fixtures.js';
import { inMemoryCommunicators } from '../support/launchers/in-memory-communicators.js';

const FACTS: RankInfo = {
  version: '1.0.0',
  host: 'h0',
  boot: 'a',
  cores: 4,
  memoryBytes: 1e9,
  filesystemBytes: 1e12,
  options: { size: 1, seed: null },
};
const AGREED = { options: { size: 1 }, ranksSharing: { 1e12: 3 } };
const FULL = new GobonnieError('phase-failed', 'the disk is full', 'free some space');

function jobs(size: number): readonly Job[] {
  return inMemoryCommunicators(size).map((communicator) => new Job(communicator));
}

/** What each rank throws, or null. */
async function failuresOf(works: readonly Promise<unknown>[]): Promise<readonly (string | null)[]> {
  const ends = await Promise.allSettled(works);
  return ends.map((end) => (end.status === 'rejected' ? (end.reason as Error).message : null));
}

/** A phase in which the ranks at `failing` fail before or after the gate. */
function phaseOf(job: Job, failing: 'before' | 'after' | null): Promise<Measurement | null> {
  return job.measureTogether(async () => {
    if (failing === 'before') throw FULL;
    await job.gate();
    job.recordStart(process.hrtime.bigint());
    if (failing === 'after') throw FULL;
    return measurementWith();
  });
}

describe('at the start', () => {
  const agree = (all: readonly Job[], factsOf: (rank: number) => RankInfo) =>
    all.map((job, rank) => job.agree(factsOf(rank), () => AGREED));

  test('all hear what rank 0 has decided, and its report names the hosts', async () => {
    const all = jobs(3);
    const answers = await Promise.all(agree(all, (rank) => ({ ...FACTS, host: rank < 2 ? 'h0' : 'h1' })));
    const agreed = { ...AGREED, id: 'a-job', sources: [2, 0, 1] };
    expect(answers).toEqual([agreed, agreed, agreed]);
    expect(all.map(({ source }) => source)).toEqual([2, 0, 1]);
    expect(all[0]?.record).toEqual({
      id: 'a-job',
      ranks: 3,
      readSource: 'next-host',
      hosts: [
        { name: 'h0', ranks: 2, cores: 4, memoryBytes: 1e9 },
        { name: 'h1', ranks: 1, cores: 4, memoryBytes: 1e9 },
      ],
    });
  });

  test.each([
    [{ ...FACTS, options: { size: 2, seed: null } }, 'rank 1 on h0 has --size 2, and rank 0 has 1'],
    [{ ...FACTS, version: '0.9' }, 'rank 1 on h0 is gobonnie 0.9, and rank 0 on h0 is 1.0.0'],
  ])('a rank that is unlike rank 0 is refused in all of them: %#', async (other, message) => {
    const all = jobs(2);
    const failures = await failuresOf(agree(all, (rank) => (rank === 1 ? other : FACTS)));
    expect(failures).toEqual([message, message]);
    expect(all.map(({ isReported }) => isReported)).toEqual([true, true]);
  });

  test('what only rank 0 refuses is refused in all of them', async () => {
    const all = jobs(2);
    const refuse = () => {
      throw FULL;
    };
    const failures = await failuresOf(all.map((job) => job.agree(FACTS, refuse)));
    expect(failures).toEqual(['the disk is full', 'the disk is full']);
  });

  test('a rank that fails before it tells anything is heard, too', async () => {
    const [first, second] = jobs(2);
    const failures = failuresOf([first?.agree(FACTS, () => AGREED) ?? Promise.resolve()]);
    await second?.fail(FULL);
    expect(await failures).toEqual(['rank 1: the disk is full']);
  });
});

describe('in a phase', () => {
  test('rank 0 has what all did together, and the others what they did', async () => {
    const all = jobs(3);
    const [first, ...others] = await Promise.all(all.map((job) => phaseOf(job, null)));
    expect(first?.ranks).toHaveLength(3);
    expect(first?.bytes).toBe(3 * measurementWith().bytes);
    for (const other of others) expect(other?.bytes).toBe(measurementWith().bytes);
  });

  test.each(['before', 'after'] as const)(
    'a failure %s the gate ends it in all, and the rows of the others are kept without a figure',
    async (when) => {
      const all = jobs(3);
      const failures = await failuresOf(all.map((job, rank) => phaseOf(job, rank === 1 ? when : null)));
      expect(failures).toEqual(['rank 1: the disk is full', 'the disk is full', 'rank 1: the disk is full']);
      expect(all[0]?.record.failedPhase?.phase).toBe('write');
      expect(all[0]?.record.failedPhase?.ranks.map(({ rank }) => rank)).toEqual([0, 2]);
    },
  );

  describe('that --stonewall may cut', () => {
    const STONEWALL = { lastSeconds: 600 };
    const phaseWith = (job: Job, steps: number | null) =>
      job.measureTogether(async () => {
        await job.gate();
        if (steps === null) throw FULL;
        expect(await job.maxSteps(steps)).toBe(70);
        return measurementWith();
      }, STONEWALL);

    test('all hear how far the furthest of them is', async () => {
      const all = jobs(3);
      const [first] = await Promise.all(all.map((job, rank) => phaseWith(job, [10, 70, 50][rank] ?? 0)));
      expect(first?.ranks).toHaveLength(3);
      expect(first?.barrierSeconds).toBeLessThan(0.1);
    });

    test('a failure ends it in all, after the others have agreed how far they go', async () => {
      const all = jobs(3);
      const failures = await failuresOf(all.map((job, rank) => phaseWith(job, [70, null, 50][rank] ?? null)));
      expect(failures).toEqual(['rank 1: the disk is full', 'the disk is full', 'rank 1: the disk is full']);
      expect(all[0]?.record.failedPhase?.ranks.map(({ rank }) => rank)).toEqual([0, 2]);
    });

    test.each(['much', '-1', '1e99', 'NaN', '1.5', ''])(
      'a rank that says %j counts as one that did nothing',
      async (text) => {
        const all = inMemoryCommunicators(2);
        const give = all[1]?.put.bind(all[1]);
        Object.assign(all[1] ?? {}, {
          give: (name: string, value: string) => give?.(name, name.startsWith('furthest') ? text : value),
        });
        const [first] = await Promise.all(all.map((communicator) => phaseWith(new Job(communicator), 70)));
        expect(first?.ranks).toHaveLength(2);
      },
    );

    test('ranks may take as long as the phase may, and are then waited for', async () => {
      const [first] = jobs(2);
      if (first) first.timeoutSeconds = 0.02;
      const phase = first?.measureTogether(() => first.maxSteps(1).then(() => null), { lastSeconds: 0.03 });
      const failures = await failuresOf([phase ?? Promise.resolve()]);
      expect(failures[0]).toMatch(/^not all ranks of the job came within 0.05 s/);
    });
  });

  test('after a failure nothing more is waited for', async () => {
    const all = jobs(2);
    await failuresOf(all.map((job, rank) => phaseOf(job, rank === 1 ? 'after' : null)));
    await Promise.all(all.map((job) => job.fail(FULL)));
    expect(all.map(({ isReported }) => isReported)).toEqual([true, true]);
  });

  test('a rank that does not come is reported after the time that the others were given', async () => {
    const [first] = jobs(2);
    if (first) first.timeoutSeconds = 0.05;
    const failures = await failuresOf([first?.runTogether(async () => {}) ?? Promise.resolve()]);
    expect(failures[0]).toMatch(/^not all ranks of the job came within 0.05 s/);
  });
});

describe('a warning of other ranks', () => {
  const WARNING = {
    code: 'no-cleanup-process',
    phase: null,
    message: 'the clean-up process ended',
    hint: 'run gobonnie clean',
  } as const;

  test('reaches rank 0 once, with the hosts that it is about', async () => {
    const all = jobs(3);
    await Promise.all(all.map((job, rank) => job.agree({ ...FACTS, host: `h${rank}` }, () => AGREED)));
    for (const job of all.slice(1)) job.forwardWarning(WARNING);
    await Promise.all(all.map((job) => job.runTogether(async () => {})));
    const message = `on h1, h2: ${WARNING.message}`;
    expect(all.map((job) => job.takeWarnings())).toEqual([
      [{ ...WARNING, message, hosts: ['h1', 'h2'] }],
      [],
      [],
    ]);
    await Promise.all(all.map((job) => job.runTogether(async () => {})));
    expect(all[0]?.takeWarnings()).toEqual([]);
  });

  test('of more than a few hosts names some and counts the others', async () => {
    const all = jobs(7);
    await Promise.all(all.map((job, rank) => job.agree({ ...FACTS, host: `h${rank}` }, () => AGREED)));
    for (const job of all.slice(1)) job.forwardWarning(WARNING);
    await Promise.all(all.map((job) => job.runTogether(async () => {})));
    expect(all[0]?.takeWarnings()[0]?.message).toBe(`on h1, h2, h3 and 3 other hosts: ${WARNING.message}`);
  });
});

test('all hear the least that any of them answers', async () => {
  const all = jobs(3);
  expect(await Promise.all(all.map((job, rank) => job.min([7, 3, 5][rank] ?? 0)))).toEqual([3, 3, 3]);
});

test('whether there is another run is for rank 0 to say', async () => {
  const all = jobs(3);
  expect(await Promise.all(all.map((job, rank) => job.broadcast(rank !== 0)))).toEqual([false, false, false]);
  expect(await Promise.all(all.map((job, rank) => job.broadcast(rank === 0)))).toEqual([true, true, true]);
});
