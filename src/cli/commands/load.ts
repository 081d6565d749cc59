import { loadRows, loadText } from '../../format/human/load-text.js';
import { BESIDE_NAME } from '../../options/option-catalogue.js';
import type { StepInput } from '../../options/options-schema.js';
import { loadPresets, parseLoadPresetName } from '../../presets/load-presets.js';
import type { Preset } from '../../presets/preset-catalogue.js';
import { KIB, MIB } from '../../text/units.js';
import { expectRow, type OptionRows } from '../argv/cli-catalogue.js';
import { defineStepCommand } from './step-command.js';

/** Twelve steps of this length, with the time in which each background builds up, take about 40 s. */
const STEP_SECONDS = 2.5;
/** A slow disk lays out less than 1 GiB. */
const MAX_LAYOUT_SECONDS = 6;

const LOAD_OPTIONS: OptionRows = {
  preset: {
    argument: 'NAME',
    values: { choices: Object.entries(loadPresets).map(([word, { title }]) => ({ word, help: title })) },
    group: 'What to measure',
    help: `the load of a program, with the limits of its documentation: ${Object.keys(loadPresets).join(', ')}`,
    expects: 'the name of a preset',
    example: 'etcd',
  },
};

/** What a person waits for. */
const FOREGROUNDS = {
  commit: { phase: 'commit-etcd' },
  read: { phase: 'random', ioSize: 4 * KIB, mix: 100, threads: 1, depth: 1, direct: true },
  open: { phase: 'open', ioSize: 16 * KIB, direct: true },
} as const satisfies Readonly<Record<string, StepInput>>;

/** A copy keeps several requests in flight. */
const STREAM = { blockSize: MIB, threads: 1, depth: 4, direct: true };
const BACKGROUNDS = {
  writer: { ...STREAM, phase: 'write' },
  reader: { ...STREAM, phase: 'read' },
  syncs: {
    phase: 'random',
    ioSize: 4 * KIB,
    mix: 0,
    threads: 4,
    depth: 1,
    direct: false,
    syncPerWrite: 'fsync',
  },
} as const;

const steps: readonly StepInput[] = Object.entries(FOREGROUNDS).flatMap(([name, foreground]) => [
  { ...foreground, name, seconds: STEP_SECONDS },
  ...Object.entries(BACKGROUNDS).map(([background, load]) => ({
    ...foreground,
    name: `${name}${BESIDE_NAME}${background}`,
    seconds: STEP_SECONDS,
    beside: [{ ...load, name: `${background}${BESIDE_NAME}${name}` }],
  })),
]);

const PRESET_LINES = Object.entries(loadPresets).map(
  ([name, { title, source, differs }]) => `- ${name} (${source.name}): ${title}. Differences: ${differs}.`,
);

export const load = defineStepCommand({
  name: 'gobonnie load',
  description:
    'Measures what a commit, a small read and the opening of a small file take while nothing else happens, and while a file ' +
    'is written, a file is read, or others sync. Takes about 40 s and at most 2 GiB of space.',
  options: LOAD_OPTIONS,
  changes: {
    size: { defaultText: '1 GiB; with a preset 0.5 GiB' },
    expect: expectRow('"commit.beside-writer.p99<10ms"'),
  },
  examples: [
    { command: 'gobonnie load --dir /mnt/disk', comment: 'the disk of a database' },
    { command: 'gobonnie load --out load.html', comment: 'with a page' },
    { command: 'gobonnie load --dir /mnt/disk --preset etcd', comment: "etcd's own load, with its limits" },
    {
      command: 'gobonnie load --expect "commit.beside-writer.p99<10ms"',
      comment: 'fail if a backup slows commits',
    },
  ],
  notes:
    'A commit appends 2,300 bytes to a log and syncs it (fdatasync), as etcd does. The writer and the reader move blocks of 1 MiB, four ' +
    'at a time; four threads make the syncs, each after a random write of 4 KiB. Each has a file of its own. The writer writes ' +
    'as much as the disk takes in 9 s. For other loads, use --step and --beside.\n' +
    `Presets, and where they differ from the program:\n${PRESET_LINES.join('\n')}`,
  request({ preset, ...flags }) {
    const chosen: Preset | null =
      preset === undefined ? null : loadPresets[parseLoadPresetName(String(preset))];
    const ownExpect = flags.expect === undefined ? [] : [flags.expect].flat();
    const expect = [...(chosen?.expect ?? []), ...ownExpect];
    return {
      rawOptions: { ...flags, expect },
      defaults: chosen?.options ?? { size: 1, stonewall: MAX_LAYOUT_SECONDS, direct: true, steps },
      createFormat: (screen) => ({ end: (report) => loadText(report, screen) }),
      liveRows: loadRows,
    };
  },
});
