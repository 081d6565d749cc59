import { beforeEach, describe, expect, test } from 'vitest';
import { phaseTitlesIn } from '../../support/platforms/phase-titles.js';
import { UNCOUNTED_TOOLS, uncountedMounts, withSlowSync } from '../../support/platforms/uncounted-mounts.js';
import { runGobonnie } from '../../support/programs/program.js';
import { requireTools } from '../../support/tools.js';

beforeEach(requireTools(...UNCOUNTED_TOOLS));

describe.each(['with /proc covered', 'on FUSE'] as const)('%s,', (name) => {
  const REWRITTEN = ['Rewrite', 'Sequential Read', 'Random Seeks'];

  test.each<[string, readonly string[], readonly string[]]>([
    ['bonnie++', ['-d', '-s', '1', '-r', '0', '-n', '0', '-u', 'root', '-f'], REWRITTEN],
    ['bonnie', ['-d', '-s', '1'], [...REWRITTEN, 'Per-Byte Read', 'Per-Byte Write', 'Sequential Write']],
    [
      'bonniego',
      ['-dir', '-size', '0.001', '-iops-duration', '0.1'],
      ['Sequential Write', 'Sequential Read', 'IOPS'],
    ],
  ])('%s warns about each possibly cached result', async (command, [dirFlag = '', ...flags], titles) => {
    const mount = uncountedMounts[name]();
    // bonnie++ syncs within its phases.
    const { dir, as } = command === 'bonnie++' ? mount : withSlowSync(mount);
    const { stderr, exitCode } = await runGobonnie([command, dirFlag, dir, ...flags], { as });
    expect(exitCode).toBe(0);
    expect([...new Set(phaseTitlesIn(stderr))].toSorted()).toEqual(titles.toSorted());
  });
});
