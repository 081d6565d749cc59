import { beforeEach, describe, expect, test } from 'vitest';
import { requireTools } from '../support/tools.js';
import { calls } from './reliability/cases/calls.js';
import { corruption } from './reliability/cases/corruption.js';
import { delivery } from './reliability/cases/delivery.js';
import { device } from './reliability/cases/device.js';
import { limits } from './reliability/cases/limits.js';
import { mounts } from './reliability/cases/mounts.js';
import { permission } from './reliability/cases/permission.js';
import { space } from './reliability/cases/space.js';
import { targets } from './reliability/cases/targets.js';
import { type FaultCase, requiredTools } from './reliability/fault-case.js';
import { GUARANTEES } from './reliability/guarantees.js';
import { findMessage, normalize } from './reliability/message.js';
import { printedResults } from './reliability/printed-results.js';
import { type Finding, renderPage } from './reliability/reliability-page.js';
import { runFaultCase } from './reliability/run-fault-case.js';

const GROUPS = [space, device, mounts, corruption, limits, permission, targets, delivery, calls];
const CASES = GROUPS.flatMap(({ cases }) => cases);

/** Short, because some faults cause hangs. */
const TIMEOUT_MS = 60_000;

/** Outcomes of the cases in this test run. */
const findings = new Map<FaultCase, Finding>();

describe.each(GROUPS)('$title:', ({ cases }) => {
  describe.each(cases)('$fault', (faultCase) => {
    beforeEach(requireTools(...requiredTools(faultCase)));

    test('breaks no guarantee', { timeout: TIMEOUT_MS }, async () => {
      const observation = await runFaultCase(faultCase);
      const { stdout, stderr, exitCode } = observation;
      expect({ exitCode, printed: printedResults(stdout), stderr }).toMatchObject({
        exitCode: faultCase.exitCode,
        printed: faultCase.expectedOutput,
      });
      if (faultCase.expectedMessage) expect(stderr).toMatch(faultCase.expectedMessage);
      for (const number of faultCase.guarantees) GUARANTEES[number].verify(observation, faultCase);
      faultCase.verifyOutcome?.(observation);
      findings.set(faultCase, {
        faultCase,
        leftovers: observation.leftovers.map((entry) => normalize(entry, observation.sandbox)),
        message: findMessage(observation, faultCase),
      });
    });
  });
});

describe('docs/reliability.md', () => {
  beforeEach(requireTools(...new Set(CASES.flatMap(requiredTools))));

  test('shows the outcome of every fault', async () => {
    expect(findings.size).toBe(CASES.length);
    await expect(renderPage(GROUPS, findings)).toMatchFileSnapshot('../../docs/reliability.md');
  });
});
