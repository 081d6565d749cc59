import { loadPresets, mixedLoad } from '../../presets/load-presets.js';
import { expectRow } from '../argv/cli-catalogue.js';
import { choosePreset, presetNotes, presetRow } from './preset-option.js';
import { defineStepCommand } from './step-command.js';

export const load = defineStepCommand({
  name: 'gobonnie load',
  description:
    'Measures what a commit, a small read and the opening of a small file take while nothing else happens, and while a file ' +
    'is written, a file is read, or others sync. Takes about 40 s and at most 2 GiB of space.',
  options: {
    preset: presetRow(loadPresets, 'the load of a program, with the limits of its documentation'),
  },
  without: ['Multi-host'],
  changes: {
    size: { defaultText: '1 GiB; with a preset 0.5 GiB' },
    expect: expectRow('"commit.beside-writer.p99<10ms"'),
  },
  examples: [
    { command: 'gobonnie load --dir /mnt/disk', comment: 'the disk of a database' },
    { command: 'gobonnie load --out load.html', comment: 'with a page' },
    { command: 'gobonnie load --dir /mnt/disk --preset etcd', comment: "etcd's own load, with its limits" },
    {
      command: 'gobonnie load --expect "commit.beside-reader.p99<10ms"',
      comment: 'fail if reads slow commits',
    },
  ],
  notes:
    'A commit appends 2,300 bytes to a log and syncs it (fdatasync), as etcd does. The writer and the reader move blocks of 1 MiB, four ' +
    'at a time; four threads make the syncs, each after a random write of 4 KiB. Each has a file of its own. The writer writes ' +
    'as much as the disk takes in 9 s. For other loads, leave out load: gobonnie --step random --beside write.\n' +
    presetNotes(loadPresets),
  request: ({ preset, ...flags }) =>
    preset === undefined
      ? { rawOptions: flags, defaults: mixedLoad }
      : choosePreset(loadPresets, preset, flags),
});
