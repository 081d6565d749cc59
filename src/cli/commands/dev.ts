import { phases } from '../../../workers/phases/phase-catalogue.js';
import { GobonnieError } from '../../errors.js';
import { devText } from '../../format/human/commands/dev-text.js';
import { hasIoAccounting } from '../../machine/filesystem.js';
import type { Machine } from '../../machine/machine-schema.js';
import { inGroup, pathOf } from '../../options/option-row.js';
import type { Options } from '../../options/options-schema.js';
import type { RunPlan } from '../../plan/plan.js';
import { planReference } from '../../run/reference.js';
import { expectRow, getOptionRow } from '../argv/cli-catalogue.js';
import { runPreflight } from './session.js';
import { defineStepCommand } from './step-command.js';

/** The directory in memory that Linux systems have. */
const MEMORY_DIRECTORY = '/dev/shm';
const TIME_LIMIT_SECONDS = 10;
const PHASES = phases.filter(({ ioUnit }) => ioUnit === 'tool-calls').map(({ name }) => name);

export const dev = defineStepCommand({
  name: 'gobonnie dev',
  description:
    'Measures what developer tools ask of a disk, by making their system calls: npm ci, git status, rm -rf, tar, and the ' +
    'commits of SQLite and etcd. docs/workloads.md lists the calls.',
  options: inGroup('What to measure', {
    packages: {
      ...getOptionRow('packages'),
      help: 'number of packages, with 35 files each',
    },
    stonewall: {
      ...getOptionRow('stonewall'),
      help: 'stop each workload on files after S seconds; the result then covers the files so far',
      defaultText: String(TIME_LIMIT_SECONDS),
    },
    reference: {
      help: 'directory to compare with, such as one in memory',
      defaultText: `${MEMORY_DIRECTORY} if in memory`,
      ...pathOf('directory', '/mnt/other'),
    },
  }),
  // These options are about data that no tool writes.
  without: ['size', 'unique', 'verify', 'compressible', 'sharedFile'],
  changes: { expect: expectRow('"commit-etcd.p99<10ms"') },
  examples: [
    { command: 'gobonnie dev .', comment: 'the disk of this project' },
    { command: 'gobonnie dev --packages 1000 .', comment: 'a large project' },
    { command: 'gobonnie dev --expect "commit-etcd.p99<10ms" .', comment: 'fail if too slow for etcd' },
  ],
  notes:
    "The phases clean, restore and, on a disk, commit predict the real tools' differences between filesystems within " +
    '25 %; status within 30 %, where git takes more than 0.2 s. install does not predict npm ci, which spends most of its time ' +
    'computing (docs/workloads.md). gobonnie --phases install,clean measures only these. Only root can measure a cold status. ' +
    'Another disk saves at most the difference to the reference; a part of it can be CPU time of the filesystem.',
  request({ reference, ...rawOptions }) {
    return {
      rawOptions,
      defaults: { phases: PHASES, stonewall: TIME_LIMIT_SECONDS },
      adapt: withoutImpossible,
      planReference: (planned) => findReference(planned, reference),
      createFormat: (screen) => ({ end: (report) => devText(report, screen) }),
    };
  },
});

/**
 * Omits phases that measure nothing here. Only root can drop the cache of directories and inodes, and only where the
 * kernel counts reads is the drop verified. Windows has no program that syncs a filesystem.
 */
function withoutImpossible(options: Options, { isRoot, platform, target }: Machine): Options {
  const isDropped = options.cache !== 'keep' && options.cache !== 'evict' && isRoot && platform === 'linux';
  const isPossible: Readonly<Record<string, boolean>> = {
    'status-cold': isDropped && !target.isMemory && hasIoAccounting(target),
    flush: platform !== 'win32',
  };
  return { ...options, phases: options.phases.filter((name) => isPossible[name] ?? true) };
}

/** Returns the plan for the reference. Null by default if the target is in memory, or if there is no memory or no space in it. */
async function findReference(
  { options, machine: { target } }: RunPlan,
  dir: unknown,
): Promise<RunPlan | null> {
  const isDefault = dir === undefined;
  if (isDefault && target.isMemory) return null;
  const own = { ...options, dir: String(dir ?? MEMORY_DIRECTORY) };
  const machine = await runPreflight(own, { dryRun: true }, () => {});
  if (isDefault && !machine.target.isMemory) return null;
  try {
    return planReference(own, machine);
  } catch (error) {
    if (isDefault && error instanceof GobonnieError) return null;
    throw error;
  }
}
