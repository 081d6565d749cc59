import { beforeEach, describe, expect, test } from 'vitest';
import { needs } from '../support/tool.js';
import { toldBy } from './reliability/answer.js';
import { PROMISES } from './reliability/promises.js';
import { type Row, toolsOf } from './reliability/row.js';
import { calls } from './reliability/rows/calls.js';
import { corruption } from './reliability/rows/corruption.js';
import { delivery } from './reliability/rows/delivery.js';
import { device } from './reliability/rows/device.js';
import { limits } from './reliability/rows/limits.js';
import { mounts } from './reliability/rows/mounts.js';
import { permission } from './reliability/rows/permission.js';
import { space } from './reliability/rows/space.js';
import { targets } from './reliability/rows/targets.js';
import { documentOf, type Finding } from './reliability/table.js';
import { tryOut } from './reliability/trial.js';
import { neutral, wordingOf } from './reliability/wording.js';

const FAMILIES = [space, device, mounts, corruption, limits, permission, targets, delivery, calls];
const ROWS = FAMILIES.flatMap(({ rows }) => rows);

/** Short, because some rows are about hangs. */
const PATIENCE_MS = 60_000;

/** The outcome of each row in this run. */
const findings = new Map<Row, Finding>();

describe.each(FAMILIES)('$title:', ({ rows }) => {
  describe.each(rows)('$fault', (row) => {
    beforeEach(needs(...toolsOf(row)));

    test('keeps its promises', { timeout: PATIENCE_MS }, async () => {
      const seen = await tryOut(row);
      const { stdout, stderr, exitCode } = seen;
      expect({ exitCode, told: toldBy(stdout), stderr }).toMatchObject({
        exitCode: row.exitCode,
        told: row.told,
      });
      if (row.says) expect(stderr).toMatch(row.says);
      for (const number of row.promises) PROMISES[number].prove(seen, row);
      row.holds?.(seen);
      findings.set(row, {
        row,
        left: seen.left.map((entry) => neutral(entry, seen.shop)),
        wording: wordingOf(seen, row),
      });
    });
  });
});

describe('docs/reliability.md', () => {
  beforeEach(needs(...new Set(ROWS.flatMap(toolsOf))));

  test('shows the outcome of every fault', async () => {
    expect(findings.size).toBe(ROWS.length);
    await expect(documentOf(FAMILIES, findings)).toMatchFileSnapshot('../../docs/reliability.md');
  });
});
