import type { Machine } from '../../machine/machine-schema.js';
import type { Options } from '../../options/options-schema.js';
import { fitsMemory, maxStepThreads } from '../../plan/plan-step.js';
import { type PresetName, presets } from '../../presets/preset-catalogue.js';
import { pluralize } from '../../text/units.js';
import { choosePreset, presetNotes, presetRow } from './preset-option.js';
import { defineStepCommand } from './step-command.js';

const DEFAULT_PRESET: PresetName = 'crystaldiskmark';

export const quick = defineStepCommand({
  name: 'gobonnie quick',
  description:
    'Measures a disk in about 30 seconds: sequential 1 MiB and random 4 KiB, queued and one at a time, reads and ' +
    'writes. Bypasses the page cache where the filesystem can.',
  options: { preset: { ...presetRow(presets, 'the tests to run'), defaultText: DEFAULT_PRESET } },
  changes: {
    size: { defaultText: "1 GiB, or the preset's" },
    runs: { defaultText: '5 for CrystalDiskMark or with --baseline, otherwise 1' },
  },
  examples: [
    { command: 'gobonnie quick', comment: 'the temporary directory' },
    {
      command: 'gobonnie quick --dir /mnt/disk --preset yabs',
      comment: 'the table that yabs prints',
    },
    { command: 'gobonnie quick --expect "rnd4k-q32t1.read>=50000"', comment: 'fail below 50,000 IOPS' },
    { command: 'gobonnie quick --format crystaldiskmark', comment: 'the text that CrystalDiskMark copies' },
  ],
  notes: presetNotes(presets),
  request: ({ preset = DEFAULT_PRESET, ...flags }) => ({
    ...choosePreset(presets, preset, flags),
    adapt: limitThreads,
  }),
});

function limitThreads(options: Options, machine: Machine, log: (line: string) => void): Options {
  const limit = maxStepThreads(options, machine);
  const { steps = [] } = options;
  const limited = steps.map((step) =>
    fitsMemory(step, options, machine) ? step : { ...step, threads: limit, depth: 1 },
  );
  if (limited.every((step, at) => step === steps[at])) return options;
  log(`gobonnie: the memory limits the steps to ${pluralize(limit, 'thread')}`);
  return { ...options, steps: limited };
}
