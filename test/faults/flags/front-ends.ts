import { type OptionName, optionCatalogue } from '../../../src/options/option-catalogue.js';
import { type OptionRow, toFlag } from '../../../src/options/option-row.js';
import { USER_FLAGS } from '../../cli/compat/run-bonnie-plus-plus.js';
import { runInProcess } from '../../support/programs/in-process.js';

/** The kind of a flag's value. A `word` is one of a few words, or a number. */
type ValueKind = 'nothing' | 'word' | 'attached-word' | 'label' | 'directory' | 'file' | 'report' | 'user';

export interface Flag {
  /** Without dashes: `size`, `s`. */
  readonly names: readonly string[];
  readonly valueKind: ValueKind;
  /** A valid value. */
  readonly example: string;
}

export interface FrontEnd {
  /** The first words of the command line. */
  readonly dialect: readonly string[];
  /** Syntax of the flags. */
  readonly spelling: 'go' | 'getopt' | 'gnu';
  readonly flags: readonly Flag[];
  /** Flags for a small run, in case the command line is accepted; each row begins with the flag's name. */
  readonly smallRunFlags: readonly (readonly [flag: string, ...args: string[]])[];
}

/** Flags whose value is not a word. */
const VALUE_KINDS: Readonly<Record<string, ValueKind>> = {
  label: 'label',
  dir: 'directory',
  user: 'user',
  group: 'user',
  'random-file': 'file',
};

const CATALOGUE: readonly Flag[] = Object.entries(optionCatalogue).map(
  ([name, row]: [string, OptionRow]) => ({
    names: [row.alias ?? [], toFlag(name).slice(2)].flat(),
    valueKind: row.argument === null ? 'nothing' : (VALUE_KINDS[name as OptionName] ?? 'word'),
    example: row.example,
  }),
);

const PRESENTATION: readonly Flag[] = [
  ...['json', 'dry-run', 'version', 'help'].map((name) => createSwitch(name)),
  createSwitch('verbose', 'v'),
  createSwitch('quiet', 'q'),
  { names: ['format'], valueKind: 'word', example: 'report' },
  { names: ['out'], valueKind: 'report', example: 'report.json' },
];

/** Only gobonnie itself reads config files. */
const SOURCES: readonly Flag[] = [
  createSwitch('no-config'),
  { names: ['config'], valueKind: 'file', example: 'gobonnie.config.json' },
  { names: ['profile'], valueKind: 'word', example: 'ci' },
];

function createSwitch(...names: readonly string[]): Flag {
  return { names, valueKind: 'nothing', example: '' };
}

const GO_SMALL_RUN_FLAGS: FrontEnd['smallRunFlags'] = [
  ['dir', '--dir', '.'],
  ['size', '--size', '0.001'],
  ['iops-duration', '--iops-duration', '0.01'],
  ['threads', '--threads', '1'],
];

/** Returns every front end with its flags, from its table or its help. */
export async function frontEnds(): Promise<readonly FrontEnd[]> {
  const go = {
    spelling: 'go',
    flags: [...CATALOGUE, ...PRESENTATION],
    smallRunFlags: GO_SMALL_RUN_FLAGS,
  } as const;
  const user: FrontEnd['smallRunFlags'] = USER_FLAGS.length === 0 ? [] : [['user', ...USER_FLAGS]];
  return [
    { dialect: [], ...go, flags: [...go.flags, ...SOURCES] },
    { dialect: ['bonniego'], ...go },
    {
      ...(await frontEndFromHelp('bonnie', 'go')),
      smallRunFlags: [
        ['dir', '-d', '.'],
        ['size', '-s', '1'],
        ['seeks', '-S', '9'],
      ],
    },
    {
      ...(await frontEndFromHelp('bonnie++', 'getopt')),
      smallRunFlags: [
        ...user,
        ['dir', '-d.'],
        ['size', '-s', '1'],
        ['ram', '-r0'],
        ['files', '-n0'],
        ['fast', '-f'],
        ['quiet', '-q'],
      ],
    },
    {
      ...(await frontEndFromHelp('getc-putc', 'getopt')),
      smallRunFlags: [...user, ['dir', '-d.'], ['size', '-s4m']],
    },
    {
      ...(await frontEndFromHelp('zones', 'gnu')),
      smallRunFlags: [
        ['file', 'sample.raw'],
        ['block', '-b1'],
      ],
    },
    { ...(await frontEndFromHelp('show', 'gnu')), smallRunFlags: [['file', 'sample.csv']] },
  ];
}

/** `  -s, --size <MB>     size of a file in MiB (default: 100)` */
const HELP_ROW = /^ {2}(?:-(\w), )?--([\w-]+)(?: ([<[]).*?)?(?: {2}|$)/gm;

async function frontEndFromHelp(
  dialect: string,
  spelling: FrontEnd['spelling'],
): Promise<Omit<FrontEnd, 'smallRunFlags'>> {
  const { stdout } = await runInProcess([dialect, '--help']);
  const flags = [...stdout.matchAll(HELP_ROW)].map(([, short, long = '', bracket]): Flag => {
    const valueKind = bracket === '[' ? 'attached-word' : 'word';
    return {
      names: short === undefined ? [long] : [short, long],
      valueKind: bracket === undefined ? 'nothing' : (VALUE_KINDS[long] ?? valueKind),
      example: '64',
    };
  });
  return { dialect: [dialect], spelling, flags };
}
