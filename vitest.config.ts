import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** They ask how much the device served, or who else used it: a test beside them would be the answer. */
const ALONE = [
  'cli/commands/zones',
  'filesystems/device-share',
  'filesystems/direct',
  'filesystems/others',
  'run/cache/device-reads',
].map((name) => `test/${name}.test.ts`);

/** Minutes of faults, made in hundreds of runs: `npm run test:faults`. Without a name `npm test` leaves them out. */
const FAULTS = ['test/faults/**/*.test.ts'];
const namesNothing = process.argv.slice(2).every((word) => word === 'run' || word.startsWith('-'));

/** Colours in the output of the tests are not asked of the programs that they start. */
delete process.env.FORCE_COLOR;

const faults: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'faults',
    include: FAULTS,
    testTimeout: 600_000,
    maxWorkers: 4,
    sequence: { groupOrder: 3 },
  },
};

export default defineConfig({
  test: {
    reporters: ['default', './test/support/count-reporter.ts'],
    // Real disks and real threads, on a machine that may be busy: patience.
    testTimeout: 120_000,
    hookTimeout: 120_000,
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
          // Most of them wait for a program, whatever the number of processors.
          maxWorkers: 6,
          // Loading zod and the sources anew for each of 200 files takes longer than most of the files.
          isolate: false,
          unstubEnvs: true,
          restoreMocks: true,
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
      ...(namesNothing ? [] : [faults]),
    ],
  },
});
