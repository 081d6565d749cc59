import { describe, expect, test } from 'vitest';
import type { OptionsInput } from '../../src/options/options-schema.js';
import { phaseGoal } from '../../src/plan/phases.js';
import { leastSteps, limitAssignments } from '../../src/plan/stonewall-plan.js';
import { KIB } from '../../src/text/units.js';
import { generateFiles } from '../../workers/files/file-tree.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { planWith } from '../support/data/fixtures.js';

/** What each worker has: its files, and how many blocks of each. */
function blocksWithin(steps: number, phase: string, options: OptionsInput) {
  const plan = planWith({ size: '1M', blockSize: '64k', phases: `write,${phase}`, ...options });
  return limitAssignments(getPhase(phase), plan, steps).map(({ slices }) =>
    slices.map(({ file, lengthBytes }) => [file, lengthBytes / (64 * KIB)]),
  );
}

describe('of data that --stonewall has cut', () => {
  test('each thread has the blocks that all have written', () => {
    expect(blocksWithin(3, 'read', { threads: 2 })).toEqual([[['bonnie.0', 3]], [['bonnie.1', 3]]]);
  });

  test('a thread that had fewer has all of its own', () => {
    expect(blocksWithin(6, 'read', { threads: 3 })).toEqual([
      [['bonnie.0', 6]],
      [['bonnie.1', 5]],
      [['bonnie.2', 5]],
    ]);
  });

  test('of several volumes each thread has the first ones, as it filled one after the other', () => {
    expect(blocksWithin(6, 'read', { threads: 2, dataFiles: 2 })).toEqual([
      [
        ['bonnie.0', 4],
        ['bonnie.1', 2],
      ],
      [
        ['bonnie.2', 4],
        ['bonnie.3', 2],
      ],
    ]);
    expect(blocksWithin(4, 'read', { threads: 2, dataFiles: 2 })).toEqual([
      [['bonnie.0', 4]],
      [['bonnie.2', 4]],
    ]);
  });

  test('seekers have what each of the threads has written', () => {
    const all = [
      ['bonnie.0', 2],
      ['bonnie.1', 2],
    ];
    expect(blocksWithin(2, 'seeks', { threads: 2, seekThreads: 3 })).toEqual([all, all, all]);
  });

  test('there is room for an operation that is larger than a block', () => {
    const plan = planWith({ size: '1M', blockSize: '64k', ioSize: '100k', threads: 2 });
    expect(leastSteps(plan.transfer)).toBe(2);
    const [first] = limitAssignments(getPhase('iops'), plan, leastSteps(plan.transfer));
    expect(first?.slices[0]?.lengthBytes).toBeGreaterThanOrEqual(plan.transfer.ioSizeBytes);
  });
});

test('of small files each thread has the first ones, with the names and directories that they were made with', () => {
  const plan = planWith({ threads: 2, files: 40, directories: 3, phases: 'create,stat' });
  const key = [plan.options.seed, 1, 0];
  const [whole, part] = [plan.assignments[1]?.[0], limitAssignments(getPhase('stat'), plan, 12)[0]];
  if (!whole?.tree || !part?.tree) throw new Error('no tree');
  expect([...generateFiles(part.tree, 'numeric', key)]).toEqual(
    [...generateFiles(whole.tree, 'numeric', key)].slice(0, 12),
  );
});

test.each([
  ['write', 5],
  ['seeks', 5],
  ['create', 5],
  ['iops', undefined],
])('%s is done after --stonewall seconds, unless it has an end of its own: %s', (phase, timeLimitSeconds) => {
  expect(phaseGoal(getPhase(phase), planWith({ stonewall: 5 })).timeLimitSeconds).toBe(timeLimitSeconds);
});
