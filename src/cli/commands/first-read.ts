import { optionError } from '../../errors.js';
import { firstReadText } from '../../format/human/first-read-text.js';
import { optionCatalogue } from '../../options/option-catalogue.js';
import { defaultsTo } from '../../options/option-row.js';
import { plan } from '../../plan/plan.js';
import { MIB } from '../../text/units.js';
import { expectRow, type OptionRows } from '../argv/cli-catalogue.js';
import { defineCommand } from '../argv/define-command.js';
import { toFlagsRows, ValuedArgument } from '../argv/option.js';
import { ownTestOptions, SINGLE_RUN_ONLY, singleRunRequest, stepRunOptionsWithout } from './step-run.js';

const READ_SECONDS = 10;
/** Options of a run's own data. */
const DATA_OPTIONS = ['dir', 'size', 'cache', 'unique', 'verify', 'compressible', 'allowCached'];

const FIRST_READ_OPTIONS: OptionRows = {
  iopsDuration: {
    ...optionCatalogue.iopsDuration,
    group: 'What to measure',
    help: 'read for at most S seconds, each time',
    ...defaultsTo(READ_SECONDS),
  },
  ...stepRunOptionsWithout([...SINGLE_RUN_ONLY, ...DATA_OPTIONS]),
  expect: expectRow('"first-read>=50MB/s"'),
};

export const firstRead = defineCommand({
  name: 'gobonnie first-read',
  usage: '[options] PATH...',
  description:
    'Reads a sample of existing files twice, and compares the rates. A volume that was restored from a snapshot may load ' +
    'each block when it is first read, so its first reads are slow. Writes nothing.',
  argument: new ValuedArgument('[PATH...]', 'files, or directories whose files to read'),
  options: toFlagsRows(FIRST_READ_OPTIONS),
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
    'gobonnie counts what came from the device. The second read bypasses the page cache. Files of other users get a new ' +
    'access time, if the filesystem records it.',
  request(flags, paths, command) {
    if (paths.length === 0) throw optionError('first-read needs a PATH', 'pass files or directories to read');
    return singleRunRequest({
      name: 'first-read',
      rawOptions: ownTestOptions(flags, [], command),
      defaults: {
        blockSize: MIB,
        iopsDuration: READ_SECONDS,
        steps: [
          { phase: 'first-read', name: 'first-read', paths: [...paths] },
          { phase: 'second-read', name: 'second-read' },
        ],
      },
      plan: (options, machine) => ({ plan: plan(options, machine) }),
      render: firstReadText,
    });
  },
});
