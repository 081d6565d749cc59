import { beforeEach, describe, expect, test } from 'vitest';
import { requireTools } from '../support/tool.js';
import { printedResults } from './reliability/answer.js';
import { GUARANTEES } from './reliability/promises.js';
import { type FaultCase, requiredTools } from './reliability/row.js';
import { calls } from './reliability/rows/calls.js';
import { corruption } from './reliability/rows/corruption.js';
import { delivery } from './reliability/rows/delivery.js';
import { device } from './reliability/rows/device.js';
import { limits } from './reliability/rows/limits.js';
import { mounts } from './reliability/rows/mounts.js';
import { permission } from './reliability/rows/permission.js';
import { space } from './reliability/rows/space.js';
import { targets } from './reliability/rows/targets.js';
import { renderPage, type Finding } from './reliability/table.js';
import { runFaultCase } from './reliability/trial.js';
import { normalize, findMessage } from './reliability/wording.js';

const GROUPS = [space, device, mounts, corruption, limits, permission, targets, delivery, calls];
const CASES = GROUPS.flatMap(({ cases }) => cases);

/** Short, because some rows are about hangs. */
const TIMEOUT_MS = 60_000;

/** The outcome of each row in this run. */
const findings = new Map<FaultCase, Finding>();

describe.each(GROUPS)('$title:', ({ cases }) => {
  describe.each(cases)('$fault', (faultCase) => {
    beforeEach(requireTools(...requiredTools(faultCase)));

    test('keeps its promises', { timeout: TIMEOUT_MS }, async () => {
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
