import { Option } from 'commander';
import { GobonnieError } from '../../errors.js';
import { GIB, MIB } from '../../units.js';
import { fromGetopt, type GetoptFlag } from '../getopt.js';
import { lex, quietCommand } from '../lexing.js';
import type { Dialect, Request } from '../request.js';
import { flagNames } from '../wording.js';
import { FILES_UNIT, type Given, inputOf } from './bonnie-plus-plus-input.js';
import { wholeNumber } from './whole-number.js';

const EXIT_ON_SIGNAL = 5;

/** Its flags, one row each: getopt's letter, commander's name and the help. */
const ROWS = [
  { letter: 'd', flag: '--dir <DIR>', help: 'where the scratch files go (default: .)' },
  {
    letter: 's',
    flag: '--size <MiB[:CHUNK[:SEEKS[:SEEKERS]]]>',
    help: 'size of the data, g and t for GiB and TiB; chunk in bytes, k for KiB (default: twice the memory:8192:8192:5); 0 leaves these tests out',
  },
  {
    letter: 'n',
    flag: '--files <N[:MAX[:MIN[:DIRS[:CHUNK]]]]>',
    help: 'N times 1024 files of MIN to MAX bytes, -1 for hard links, -2 for symlinks (default: 16); 0 leaves these tests out',
  },
  {
    letter: 'f',
    flag: '--fast [MiB]',
    help: 'alone: no tests by byte; with a number attached: on so many MiB (default: 20)',
  },
  { letter: 'b', flag: '--unbuffered', help: 'sync after every write, and directories after every file' },
  { letter: 'D', flag: '--direct', help: 'past the page cache, for all block tests' },
  {
    letter: 'c',
    flag: '--concurrency <N>',
    help: 'how many do each test at once, on their part of the data (default: 1)',
  },
  { letter: 'r', flag: '--ram <MiB>', help: 'the memory that the size has to be twice of; 0 checks nothing' },
  { letter: 'x', flag: '--runs <N>', help: 'how many times to measure, each a line of CSV' },
  { letter: 'm', flag: '--label <NAME>', help: "the machine's name (default: the host's)" },
  { letter: 'u', flag: '--user <USER[:GROUP]>', help: 'become that user first; as root it has to be said' },
  { letter: 'g', flag: '--group <GROUP>', help: 'become that group first' },
  { letter: 'q', flag: '--quiet', help: 'CSV alone on stdout, the tables on stderr' },
  { letter: 'p', flag: '--parties <N>', help: 'make a meeting place for N processes and end; -1 removes it' },
  {
    letter: 'y',
    flag: '--wait <s|p>',
    help: 'start each test with the others of the meeting place (s) or at a key (p)',
  },
  { letter: 'z', flag: '--seed <N>', help: 'repeat the same random numbers' },
  { letter: 'Z', flag: '--random-file <FILE>', help: 'take the seed from a file of random bytes' },
] as const;

/** gobonnie's messages name its own flags. */
const FLAG_NAMES = flagNames({
  '--dir': '-d',
  '--size': { name: '-s', units: GIB / MIB },
  '--block-size': '-s …:CHUNK',
  '--seeks': '-s …:…:SEEKS',
  '--seekers': '-s …:…:…:SEEKERS',
  '--files': { name: '-n', units: 1 / FILES_UNIT },
  '--file-size': '-n …:MAX',
  '--file-min-size': '-n …:…:MIN',
  '--directories': '-n …:…:…:DIRS',
  '--file-block-size': '-n …:…:…:…:CHUNK',
  '--threads': '-c',
  '--direct': '-D',
  '--sync-writes': '-b',
  '--byte-size': { name: '-f', units: 1 / MIB },
  '--runs': '-x',
  '--label': '-m',
  '--seed': '-z',
});

const NOTES = `
The flags are its one letters: -s 64:16k, -n 0, -f, -f20, -qb. Byte means what byte-wise code pays in Node, one call a byte.
The page cache is left as it is, as bonnie++ leaves it: keep the size at twice the memory, or pass -D.`;

/** bonnie++ 2.00: its flags, its tests in its order, its tables and its CSV. */
export const bonniePlusPlus: Dialect = {
  name: 'bonnie++',

  read(args): Request {
    const command = quietCommand('gobonnie bonnie++').usage('[flags]');
    command.description("bonnie++'s tests of one file and of many small ones.").addHelpText('after', NOTES);
    for (const { letter, flag, help } of ROWS) command.addOption(new Option(`-${letter}, ${flag}`, help));
    const said = lex(command, fromGetopt(args, getoptFlags()));
    if (said !== null) return { type: 'say', text: said };
    const given = command.opts<Given & Rest>();
    if (given.parties !== undefined) return meetingPlace(wholeNumber('-p', given.parties, 1, -1), given);
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
        if (!given.quiet) return (await import('../bonnie-plus-plus-narration.js')).narrate;
        return given.runs !== undefined ? () => [] : (await import('../bonnie-plus-plus-quiet.js')).narrate;
      },
      prepare: async (process, terminal) => {
        const { prepare } = await import('../bonnie-plus-plus-preparation.js');
        return prepare(given, process, terminal);
      },
      abortedExitCode: EXIT_ON_SIGNAL,
      ignoredSignals: ['SIGHUP'],
      flagNames: FLAG_NAMES,
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

function getoptFlags(): readonly GetoptFlag[] {
  const flags = ROWS.map(({ letter, flag }): GetoptFlag => {
    const value = flag.includes('<') ? 'needed' : flag.includes('[') ? 'attached' : 'none';
    return { letter, name: /^--([\w-]+)/.exec(flag)?.[1] ?? '', value };
  });
  return [...flags, { letter: 'h', name: 'help', value: 'none' }];
}

function meetingPlace(parties: number, given: Rest): Request {
  if (parties === 0) {
    throw new GobonnieError(
      'option-invalid',
      '-p 0 is nobody',
      'pass the number of processes, or -1 to remove the meeting place',
    );
  }
  return {
    type: 'act',
    load: async () => {
      const { closeRendezvous, openRendezvous } = await import('../../run/rendezvous.js');
      const { becomeAsked } = await import('../identity.js');
      return async (_, terminal) => {
        becomeAsked('bonnie++', given);
        await (parties === -1 ? closeRendezvous() : openRendezvous(parties));
        if (!given.quiet)
          terminal.narrate(
            parties === -1 ? 'Semaphore removed.' : `Creating semaphore for ${parties} procs.`,
          );
        return 0;
      };
    },
  };
}
