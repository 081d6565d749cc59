import { beforeEach, describe, expect, test } from 'vitest';
import { titlesIn } from '../../support/platforms/titles.js';
import { PLACE_TOOLS, places, withSlowSync } from '../../support/platforms/uncounted.js';
import { gobonnie } from '../../support/programs/program.js';
import { needs } from '../../support/tool.js';

const BONNIE_FILES = ['-u', 'root', '-s', '0', '-n', '1:64:64:1'];

beforeEach(needs(...PLACE_TOOLS));

describe.each(['with /proc covered', 'on FUSE'] as const)("the family's dialects %s", (name) => {
  const REWRITTEN = ['Rewrite', 'Sequential Read', 'Random Seeks'];

  test.each<[string, readonly string[], readonly string[]]>([
    ['bonnie++', ['-d', '-s', '1', '-r', '0', '-n', '0', '-u', 'root', '-f'], REWRITTEN],
    ['bonnie', ['-d', '-s', '1'], [...REWRITTEN, 'Per-Byte Read', 'Per-Byte Write', 'Sequential Write']],
    [
      'bonniego',
      ['-dir', '-size', '0.001', '-iops-duration', '0.1'],
      ['Sequential Write', 'Sequential Read', 'IOPS'],
    ],
  ])('%s warns of each figure', async (dialect, [dirFlag = '', ...flags], titles) => {
    const place = places[name]();
    // bonnie++ syncs within the time of its phases.
    const { dir, as } = dialect === 'bonnie++' ? place : withSlowSync(place);
    const { stderr, exitCode } = await gobonnie([dialect, dirFlag, dir, ...flags], { as });
    expect(exitCode).toBe(0);
    expect([...new Set(titlesIn(stderr))].toSorted()).toEqual(titles.toSorted());
  });
});

test('bonnie++ warns of the small files that it made and read, with /proc covered', async () => {
  const { dir, as } = places['with /proc covered']();
  const { stderr } = await gobonnie(['bonnie++', '-d', dir, ...BONNIE_FILES], { as });
  expect(titlesIn(stderr)).toEqual(['Sequential Create', 'Random Create', 'Sequential Stat', 'Random Stat']);
});

test('getc-putc warns of all ways through a buffer, and of its read, with /proc covered', async () => {
  const { dir, as } = withSlowSync(places['with /proc covered']());
  const { stderr } = await gobonnie(['getc-putc', '-d', dir, '-s', '4096', '-u', 'root'], { as });
  // Its write, of single bytes, may take longer than the sync.
  expect(titlesIn(stderr)).toEqual(expect.arrayContaining(['read', 'putc', 'getc', 'putcU', 'getcU']));
});
