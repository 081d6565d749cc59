import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { runStonewall, type Stonewall } from '../../../src/run/worker-pool/stonewall-run.js';

const AMOUNTS = { seconds: 0.01, bytes: 5000, operations: 50 };
const WALL: Stonewall = {
  seconds: 0.01,
  lastSeconds: 600,
  leastSteps: 2,
  operationsPerStep: 1,
  maxSteps: async (steps) => steps,
};

/** Workers of which the furthest has done 50 operations; `limits` are those that they were given. */
function workers(isBusy: () => boolean = () => true) {
  const limits: number[] = [];
  let finish = () => {};
  const ends = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const limited = (steps: number) => {
    limits.push(steps);
    finish();
  };
  const tools = { isBusy, totals: () => AMOUNTS, maxOperations: () => 50, limitTo: limited };
  return { ends, finish, limits, tools };
}

function cut(wall: Partial<Stonewall>, { ends, tools }: ReturnType<typeof workers>) {
  return runStonewall({ ...WALL, ...wall }, process.hrtime.bigint(), ends, tools);
}

test('at the wall all workers go on as far as the furthest of them', async () => {
  const team = workers();
  expect(await cut({}, team)).toEqual({ ...AMOUNTS, isEven: true });
  expect(team.limits).toEqual([50]);
});

test('in a job they go on as far as the furthest of all ranks', async () => {
  const team = workers();
  await cut({ maxSteps: async (steps) => steps + 30 }, team);
  expect(team.limits).toEqual([80]);
});

test('of single bytes they go on in whole blocks', async () => {
  const team = workers();
  await cut({ operationsPerStep: 40 }, team);
  expect(team.limits).toEqual([2]);
});

test('each goes on until later phases have room for an operation', async () => {
  const team = workers();
  await cut({ leastSteps: 70 }, team);
  expect(team.limits).toEqual([70]);
});

test('those that do not catch up in time are stopped', async () => {
  const { tools, ...team } = workers();
  const limits: number[] = [];
  const limitTo = (steps: number) => {
    limits.push(steps);
    if (steps === WALL.leastSteps) team.finish();
  };
  const atWall = await cut({ lastSeconds: 0.02 }, { ...team, tools: { ...tools, limitTo } });
  expect(atWall?.isEven).toBe(false);
  expect(limits).toEqual([50, 2]);
});

test('they are stopped in time also if another rank does not answer, and its answer starts none again', async () => {
  const team = workers();
  const maxSteps = async () => {
    await team.ends;
    await setTimeout(1);
    return 90;
  };
  expect((await cut({ lastSeconds: 0.02, maxSteps }, team))?.isEven).toBe(false);
  expect(team.limits).toEqual([2]);
});

test('a phase that is done before is not cut, but the other ranks hear how far it came', async () => {
  const team = workers(() => false);
  team.finish();
  const told: number[] = [];
  const maxSteps = async (steps: number) => {
    told.push(steps);
    return steps;
  };
  expect(await cut({ seconds: 300, maxSteps }, team)).toBeNull();
  expect(told).toEqual([50]);
});

test('without an answer of the others there is no result, and no timer is left', async () => {
  const team = workers();
  const failure = new Error('a rank is lost');
  await expect(cut({ maxSteps: () => Promise.reject(failure) }, team)).rejects.toBe(failure);
});
