import { GobonnieError } from '../../errors.js';
import { GIB, MIB } from '../../text/units.js';
import { commandOf } from '../argv/face.js';
import { fromGetopt } from '../argv/getopt.js';
import { lettersOf, lex } from '../argv/lexing.js';
import { ValuedOption } from '../argv/option.js';
import { wholeNumber } from '../argv/whole-number.js';
import type { FlagNames } from '../argv/wording.js';
import { EXIT_CODES } from '../exit-codes.js';
import type { Dialect, Request } from '../request.js';
import { BONNIE_PLUS_PLUS_FLAGS } from './bonnie-plus-plus-flags.js';
import { FILES_UNIT, type Given, inputOf } from './bonnie-plus-plus-input.js';

/** gobonnie's messages name its own flags. */
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
  'The flags are its one letters: -s 64:16k, -n 0, -f, -f20, -qb. Byte means what byte-wise code pays in Node, one ' +
  'call a byte. The page cache is left as it is, as bonnie++ leaves it: keep the size at twice the memory, or pass -D.';

/** bonnie++ 2.00: its flags, its tests in its order, its tables and its CSV. */
export const bonniePlusPlus: Dialect = {
  name: 'bonnie++',
  summary: "bonnie++'s flags, tests, tables and CSV",
  group: 'As its ancestors',

  command: () =>
    commandOf({
      name: 'gobonnie bonnie++',
      usage: '[flags]',
      description: "bonnie++'s tests of one file and of many small ones.",
      options: BONNIE_PLUS_PLUS_FLAGS.map((row) => new ValuedOption(row)),
      lastGroup: 'Other',
      isByLetter: true,
      examples: [
        { command: 'gobonnie bonnie++ -d /mnt/disk -n 16', does: 'all of its tests, as any user but root' },
        { command: 'gobonnie bonnie++ -u root -r 0 -s 4g -f', does: '4 GiB, and nothing byte by byte' },
        { command: 'gobonnie bonnie++ -q > disk.csv', does: 'a line of CSV' },
      ],
      notes: NOTES,
    }),

  read(args): Request {
    const command = this.command();
    const said = lex(command, fromGetopt(args, lettersOf(command.options)));
    if (said !== null) return { type: 'say', text: said };
    const given = command.opts<Given & Rest>();
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
        if (!given.quiet) return (await import('./bonnie-plus-plus-narration.js')).narrate;
        return given.runs !== undefined ? () => [] : (await import('./bonnie-plus-plus-quiet.js')).narrate;
      },
      prepare: async (process, terminal) => {
        const { prepare } = await import('./bonnie-plus-plus-preparation.js');
        return prepare(given, process, terminal);
      },
      abortedExitCode: EXIT_CODES.bonniePlusPlusSignal,
      ignoredSignals: ['SIGHUP'],
      flagNames: { names: FLAG_NAMES },
    };
  },
};

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
      '-p 0 is nobody',
      'pass the number of processes, or -1 to remove the meeting',
    );
  }
  return {
    type: 'act',
    load: async () => {
      const { createMeeting, deleteMeeting } = await import('../../meeting/meeting.js');
      const { runAsUser } = await import('./run-as-user.js');
      return async (_, terminal) => {
        runAsUser('bonnie++', given);
        await (parties === -1 ? deleteMeeting() : createMeeting(parties));
        if (!given.quiet)
          terminal.narrate(
            parties === -1 ? 'Semaphore removed.' : `Creating semaphore for ${parties} procs.`,
          );
        return 0;
      };
    },
  };
}
