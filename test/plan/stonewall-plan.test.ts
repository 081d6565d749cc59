import { describe, expect, test } from 'vitest';
import type { OptionsInput } from '../../src/options/options-schema.js';
import type { RunPlan } from '../../src/plan/plan.js';
import type { Step } from '../../src/plan/steps.js';
import { limitAssignments, minOperations } from '../../src/plan/stonewall-plan.js';
import { KIB } from '../../src/text/units.js';
import { generateFiles } from '../../workers/files/file-tree.js';
import { planWith } from '../support/data/fixtures.js';

function findStep({ steps }: RunPlan, name: string): Step {
  return steps.find((step) => step.name === name) as Step;
}

/** Returns the files of each worker, and the number of blocks in each file. */
function limitedBlocks(blocks: readonly number[], phase: string, options: OptionsInput) {
  const plan = planWith({ size: '1M', blockSize: '64k', phases: `write,${phase}`, ...options });
  const writtenBytes = blocks.map((count) => count * 64 * KIB);
  return limitAssignments(findStep(plan, phase), plan, writtenBytes).map(({ slices }) =>
    slices.map(({ file, lengthBytes }) => [file, lengthBytes / (64 * KIB)]),
  );
}

describe('after --stonewall has stopped the write', () => {
  test('each thread uses the first of its data files, because it filled them one after another', () => {
    expect(limitedBlocks([6, 4], 'read', { threads: 2, dataFiles: 2 })).toEqual([
      [
        ['bonnie.0', 4],
        ['bonnie.1', 2],
      ],
      [['bonnie.2', 4]],
    ]);
  });

  test('the first slice fits an operation that is larger than a block', () => {
    const plan = planWith({ size: '1M', blockSize: '64k', ioSize: '100k', threads: 2 });
    const write = findStep(plan, 'write');
    expect(minOperations(write)).toBe(2);
    const leastBytes = minOperations(write) * plan.transfer.blockSizeBytes;
    const [first] = limitAssignments(findStep(plan, 'iops'), plan, [leastBytes, leastBytes]);
    expect(first?.slices[0]?.lengthBytes).toBeGreaterThanOrEqual(plan.transfer.ioSizeBytes);
  });
});

test('after --stonewall has stopped create, each thread uses the files that it has created, with unchanged names', () => {
  const plan = planWith({ threads: 2, files: 40, directories: 3, phases: 'create,stat' });
  const key = [plan.options.seed, 1, 0];
  const whole = plan.steps[1]?.assignments[0];
  const part = limitAssignments(findStep(plan, 'stat'), plan, [12, 20])[0];
  if (!whole?.tree || !part?.tree) throw new Error('no tree');
  expect(generateFiles(part.tree, 'tree', key)).toEqual(generateFiles(whole.tree, 'tree', key).slice(0, 12));
});
