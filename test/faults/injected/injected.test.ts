import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { requireTools } from '../../support/tools.js';
import { failCall } from './fail-call.js';
import { listTargets } from './list-targets.js';
import { SCENARIOS, type Scenario } from './scenario.js';
import { KIND_NAMES, type SyscallKind } from './syscall-kind.js';
import { describeTarget, type Target } from './target.js';
import { findViolations } from './violations.js';

const MIN_RUNS = 150;
/** Each run mostly waits. */
const CONCURRENCY = 3;
const TIMEOUT_MS = 600_000;

const targetsByScenario = new Map<Scenario, Promise<readonly Target[]>>();
let ran = 0;
let passed = 0;

async function targetsOfKind(kind: SyscallKind): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (const scenario of SCENARIOS.filter(({ kinds }) => kinds.includes(kind))) {
    const surveyed = targetsByScenario.get(scenario) ?? listTargets(scenario);
    targetsByScenario.set(scenario, surveyed);
    targets.push(...(await surveyed).filter((target) => target.kind === kind));
  }
  return targets;
}

/** Returns the broken promises. A run in which another call failed, or none, does not count. */
async function runTarget(target: Target): Promise<readonly string[]> {
  const failedRun = await failCall(target);
  if (!failedRun.call) {
    console.log(`missed: ${describeTarget(target)}\n${failedRun.log}`);
    return [];
  }
  const violations = findViolations(failedRun, failedRun.call);
  ran++;
  if (violations.length === 0) passed++;
  return violations.map((complaint) => `${describeTarget(target)}: ${complaint}`);
}

describe('a failed call ends the run with one line, no figure of its phase and no files left:', () => {
  beforeEach(requireTools('root', 'strace', 'dd'));
  afterAll(() => console.log(`injected faults: ${ran} ran, ${passed} held`));

  test.each(KIND_NAMES)(
    '%s, the first and the last of each phase, and one in between without other flags',
    async (kind) => {
      const left = [...(await targetsOfKind(kind))];
      const violations: string[] = [];
      const takeTurns = async () => {
        for (let target = left.shift(); target; target = left.shift())
          violations.push(...(await runTarget(target)));
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, takeTurns));
      expect(violations).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(`at least ${MIN_RUNS} calls were made to fail`, () => {
    expect(ran).toBeGreaterThanOrEqual(MIN_RUNS);
  });
});
