import { defineConfig } from 'vitest/config';

/** What asks how much the device served, or of whom a figure speaks: another test beside it would be the answer. */
const ALONE = [
  'cli/commands/zones',
  'filesystems/device-share',
  'filesystems/direct',
  'filesystems/others',
  'run/cache/page-cache',
].map((name) => `test/${name}.test.ts`);

/** Hundreds of runs: once is enough, whatever the Node. */
const FAULTS = ['test/faults/**/*.test.ts'];

/** A wish for colours in the tests' own output is none of the program's that they start. */
delete process.env.FORCE_COLOR;

export default defineConfig({
  test: {
    reporters: ['default', './test/support/count-reporter.ts'],
    // Real disks and real threads: patience.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: ALONE, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...ALONE, ...FAULTS],
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: { enabled: true, only: true, include: ['test/types/**/*.test-d.ts'] },
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: FAULTS,
          testTimeout: 600_000,
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
