import { optionError } from '../../errors.js';
import { firstReadText } from '../../format/human/commands/first-read-text.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import { defaultsTo, inGroup } from '../../options/option-row.js';
import { MIB } from '../../text/units.js';
import { expectRow } from '../argv/cli-catalogue.js';
import { ValuedArgument } from '../argv/option.js';
import { defineStepCommand } from './step-command.js';

const READ_SECONDS = 10;

export const firstRead = defineStepCommand({
  name: 'gobonnie first-read',
  usage: '[options] PATH...',
  description:
    'Reads a sample of existing files twice, and compares the rates. A volume that was restored from a snapshot may load ' +
    'each block when it is first read, so its first reads are slow. Writes nothing.',
  argument: new ValuedArgument('[PATH...]', 'files, or directories whose files to read'),
  options: inGroup('What to measure', {
    iopsDuration: {
      ...optionCatalogue.iopsDuration,
      help: 'read for at most S seconds, each time',
      ...defaultsTo(READ_SECONDS),
    },
  }),
  // Options of a run's own data.
  without: ['dir', 'size', 'cache', 'unique', 'verify', 'compressible', 'allowCached'],
  changes: { expect: expectRow('"first-read>=50MB/s"') },
  isSingleRun: true,
  examples: [
    { command: 'gobonnie first-read /var/lib/postgresql', comment: 'up to 500 parts of 1 MiB' },
    { command: 'gobonnie first-read backup.tar', comment: 'a single file' },
    {
      command: 'gobonnie first-read /srv --expect "first-read>=50MB/s"',
      comment: 'exit code 3 if it is slower',
    },
  ],
  notes:
    'Only the first read of a block shows whether it is loaded late, so what other programs have read before tells nothing: ' +
    'gobonnie counts what came from the device. The second read bypasses the page cache (not on macOS). Files of other users get a new ' +
    'access time, if the filesystem records it.',
  request(rawOptions, paths) {
    if (paths.length === 0) throw optionError('first-read needs a PATH', 'pass files or directories to read');
    return {
      rawOptions,
      defaults: {
        blockSize: MIB,
        iopsDuration: READ_SECONDS,
        steps: [
          { phase: 'first-read', name: 'first-read', paths: [...paths] },
          { phase: 'second-read', name: 'second-read' },
        ],
      },
      createFormat: (screen) => ({ end: (report) => firstReadText(report, screen) }),
    };
  },
});
