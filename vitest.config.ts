import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests of device shares, of pauses, and of other programs on the device: a parallel test would change the result. */
const SERIAL_TESTS = [
  'cli/commands/zones',
  'filesystems/btrfs',
  'filesystems/device-share',
  'filesystems/direct',
  'filesystems/device-contention',
  'filesystems/conditions',
  'filesystems/ping',
  'run/memory-ceiling',
].map((name) => `test/${name}.test.ts`);

/** Tests of rates on slow disks. They mostly wait, so a few may run at once, but without tests that use the CPUs. */
const SLOW_DISKS = ['fill-rate', 'known-queue', 'lowered-limit', 'throttled-disk', 'throttled-load'].map(
  (name) => `test/filesystems/${name}.test.ts`,
);

/** Hundreds of runs with faults, which take minutes: `npm run test:faults`. `npm test` without a name omits them. */
const FAULTS = ['test/faults/**/*.test.ts'];
/** Tests with other systems, some with their own Node, and with launchers for many hosts; also omitted. */
const PLATFORMS = ['test/platforms/systems/*.test.ts'];
const LAUNCHERS = ['test/hosts/{hydra,many-ranks,shift,slurm}.test.ts', 'test/docs/kubernetes/*.test.ts'];
const runsAllTests = process.argv.slice(2).every((word) => word === 'run' || word.startsWith('-'));

/** The longest tests. If they started last, the other workers would be idle. */
const LONG_TESTS = [
  'code|command|docs|examples|filesystems|hosts|package',
  'cli/(?:argv/help-examples|commands|terminal)',
  'faults/(?:injected|attacks|killed|reliability)',
  'platforms/systems/windows',
  'run/(?:cache|free-space|tools)',
].map((name) => new RegExp(`/test/(?:${name})`));

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG_TESTS.some((name) => name.test(moduleId));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** Colors are for the output of the tests, not for the programs that they start; these do not run as a script of npm. */
delete process.env.FORCE_COLOR;
delete process.env.npm_command;

const longProjects = Object.entries({ faults: FAULTS, platforms: PLATFORMS, launchers: LAUNCHERS }).map(
  ([name, include]): TestProjectInlineConfiguration => ({
    extends: true,
    test: { name, include, testTimeout: 600_000, maxWorkers: 4, sequence: { groupOrder: 3 } },
  }),
);

export default defineConfig({
  test: {
    reporters: ['default', './test/support/count-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // Long, because tests use real disks and threads on a machine that may be busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: { name: 'alone', include: SERIAL_TESTS, fileParallelism: false, sequence: { groupOrder: 1 } },
      },
      {
        extends: true,
        test: { name: 'slow-disks', include: SLOW_DISKS, maxWorkers: 3, sequence: { groupOrder: 4 } },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...SERIAL_TESTS, ...SLOW_DISKS, ...FAULTS, ...PLATFORMS, ...LAUNCHERS],
          // More than the CPUs, because most tests wait for a program.
          maxWorkers: Number(process.env.TEST_WORKERS) || 6,
          // Reloading zod and the sources for each of 200 files would take longer than most files.
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
          sequence: { groupOrder: 5 },
        },
      },
      ...(runsAllTests ? [] : longProjects),
    ],
  },
});
