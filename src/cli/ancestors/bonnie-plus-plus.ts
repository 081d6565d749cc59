import { GobonnieError } from '../../errors.js';
import { GIB, MIB } from '../../text/units.js';
import { defineCommand } from '../argv/command.js';
import { ValuedOption } from '../argv/option.js';
import type { FlagNames } from '../argv/wording.js';
import { EXIT_CODES } from '../exit-codes.js';
import type { Request } from '../request.js';
import { BONNIE_PLUS_PLUS_FLAGS } from './bonnie-plus-plus-flags.js';
import { FILES_UNIT, type Given, inputOf } from './bonnie-plus-plus-input.js';
import { wholeNumber } from './whole-number.js';

/** What it calls gobonnie's flags in messages. */
const FLAG_NAMES: FlagNames['names'] = {
  dir: '-d',
  size: { name: '-s', units: GIB / MIB },
  blockSize: '-s …:CHUNK',
  seeks: '-s …:…:SEEKS',
  seekers: '-s …:…:…:SEEKERS',
  files: { name: '-n', units: 1 / FILES_UNIT },
  fileSize: '-n …:MAX',
  fileMinSize: '-n …:…:MIN',
  directories: '-n …:…:…:DIRS',
  fileBlockSize: '-n …:…:…:…:CHUNK',
  threads: '-c',
  direct: '-D',
  syncWrites: '-b',
  byteSize: { name: '-f', units: 1 / MIB },
  runs: '-x',
  label: '-m',
  seed: '-z',
};

const NOTES =
  'Flags are single letters: -s 64:16k, -n 0, -f, -f20, -qb. The tests byte by byte show what byte-wise code costs in ' +
  'Node. Like bonnie++, it does not empty the page cache: keep the size at twice the RAM, or pass -D.';

/** bonnie++ 2.00: its flags, its tests in its order, its tables and its CSV. */
export const bonniePlusPlus = defineCommand({
  name: 'gobonnie bonnie++',
  usage: '[flags]',
  description: "bonnie++'s tests of one file and of many small ones.",
  options: BONNIE_PLUS_PLUS_FLAGS.map((row) => new ValuedOption(row)),
  lastGroup: 'Other',
  examples: [
    { command: 'gobonnie bonnie++ -d /mnt/disk -n 16', does: 'all of its tests, as a user other than root' },
    { command: 'gobonnie bonnie++ -u root -r 0 -s 4g -f', does: '4 GiB, without the tests byte by byte' },
    { command: 'gobonnie bonnie++ -q > disk.csv', does: 'one line of CSV' },
  ],
  notes: NOTES,
  spelling: 'getopt',
  request(given: Given & Rest) {
    if (given.parties !== undefined) return meetingRequest(wholeNumber('-p', given.parties, 1, -1), given);
    const input = inputOf(given);
    // -x 1 as well.
    const isCsvOnly = given.quiet === true || given.runs !== undefined;
    return {
      type: 'benchmark',
      input,
      presentation: {},
      needsDirectory: true,
      isAncestral: true,
      formats: isCsvOnly ? ['bonnie++-csv'] : ['bonnie++', 'bonnie++-csv'],
      loadNarrate: async () => {
        if (!given.quiet) return (await import('../commands/loaded-together.js')).narrateBonniePlusPlus;
        return given.runs !== undefined
          ? () => []
          : (await import('../commands/loaded-together.js')).narrateTables;
      },
      prepare: async (process, terminal) => {
        const { prepare } = await import('../commands/loaded-together.js');
        return prepare(given, process, terminal);
      },
      abortedExitCode: EXIT_CODES.bonniePlusPlusSignal,
      ignoredSignals: ['SIGHUP'],
      flagNames: { names: FLAG_NAMES },
    };
  },
});

interface Rest {
  readonly user?: string;
  readonly group?: string;
  readonly quiet?: boolean;
  readonly parties?: string;
  readonly wait?: string;
}

function meetingRequest(parties: number, given: Rest): Request {
  if (parties === 0) {
    throw new GobonnieError(
      'option-invalid',
      '-p 0 is not a number of processes',
      'pass 1 or more, or -1 to remove the meeting',
    );
  }
  return {
    type: 'act',
    async act(_process, terminal) {
      const { runAsUser, deleteMeeting, createMeeting } = await import('../commands/loaded-together.js');
      runAsUser('bonnie++', given);
      await (parties === -1 ? deleteMeeting() : createMeeting(parties));
      if (!given.quiet)
        terminal.narrate(parties === -1 ? 'Semaphore removed.' : `Creating semaphore for ${parties} procs.`);
      return EXIT_CODES.done;
    },
  };
}
