import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { requireTools } from '../../support/tools.js';
import { failCall } from './fail-call.js';
import { listTargets } from './list-targets.js';
import { SCENARIOS, type Scenario } from './scenario.js';
import { KIND_NAMES, type SyscallKind } from './syscall-kind.js';
import { describeTarget, type Target } from './target.js';
import { findViolations } from './violations.js';

const MIN_RUNS = 150;
/** More than the CPUs need, because runs mostly wait. */
const CONCURRENCY = 3;
const TIMEOUT_MS = 600_000;

const targetsByScenario = new Map<Scenario, Promise<readonly Target[]>>();
let ran = 0;
let passed = 0;

async function targetsOfKind(kind: SyscallKind): Promise<readonly Target[]> {
  const targets: Target[] = [];
  for (const scenario of SCENARIOS.filter(({ kinds }) => kinds.includes(kind))) {
    const scenarioTargets = targetsByScenario.get(scenario) ?? listTargets(scenario);
    targetsByScenario.set(scenario, scenarioTargets);
    targets.push(...(await scenarioTargets).filter((target) => target.kind === kind));
  }
  return targets;
}

/** Returns the violations. A run in which another call failed, or no call, does not count. */
async function runTarget(target: Target): Promise<readonly string[]> {
  const failedRun = await failCall(target);
  if (!failedRun.call) {
    console.log(`missed: ${describeTarget(target)}\n${failedRun.log}`);
    return [];
  }
  const violations = findViolations(failedRun, failedRun.call);
  ran++;
  if (violations.length === 0) passed++;
  return violations.map((violation) => `${describeTarget(target)}: ${violation}`);
}

describe('a failed call ends the run with one error line, no result of its phase and no leftover files:', () => {
  beforeEach(requireTools('root', 'strace', 'dd'));
  afterAll(() => console.log(`injected faults: ${ran} ran, ${passed} passed`));

  test.each(KIND_NAMES)(
    'the first and last %s of each phase, and a middle call in a run of all phases',
    async (kind) => {
      const queue = [...(await targetsOfKind(kind))];
      const violations: string[] = [];
      const runTargets = async () => {
        for (let target = queue.shift(); target; target = queue.shift())
          violations.push(...(await runTarget(target)));
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, runTargets));
      expect(violations).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test(`at least ${MIN_RUNS} failures were injected`, () => {
    expect(ran).toBeGreaterThanOrEqual(MIN_RUNS);
  });
});
