import { type OptionName, optionCatalogue } from '../../../src/options/catalogue.js';
import { toFlag, type OptionRow } from '../../../src/options/row.js';
import { ME } from '../../cli/ancestors/family.js';
import { gobonnieHere } from '../../support/programs/program-here.js';

/** What a flag takes. A `word` is one of a few words, or a number. */
type Taking = 'nothing' | 'word' | 'attached-word' | 'label' | 'directory' | 'file' | 'report' | 'user';

export interface Flag {
  /** Without dashes: `size`, `s`. */
  readonly names: readonly string[];
  readonly takes: Taking;
  /** A valid value. */
  readonly example: string;
}

export interface FrontEnd {
  /** The first words of the command line. */
  readonly dialect: readonly string[];
  /** How flags are written. */
  readonly spelling: 'go' | 'getopt' | 'gnu';
  readonly flags: readonly Flag[];
  /** Flags for a small run, in case it is not refused, each after the name of the flag that it sets. */
  readonly bounds: readonly (readonly [flag: string, ...args: string[]])[];
}

/** For those that do not take a word. */
const TAKING: Readonly<Record<string, Taking>> = {
  label: 'label',
  dir: 'directory',
  user: 'user',
  group: 'user',
  'random-file': 'file',
};

const CATALOGUE: readonly Flag[] = Object.entries(optionCatalogue).map(
  ([name, row]: [string, OptionRow]) => ({
    names: [row.alias ?? [], toFlag(name).slice(2)].flat(),
    takes: row.argument === null ? 'nothing' : (TAKING[name as OptionName] ?? 'word'),
    example: row.example,
  }),
);

const PRESENTATION: readonly Flag[] = [
  ...['json', 'dry-run', 'version', 'help'].map((name) => switchNamed(name)),
  switchNamed('verbose', 'v'),
  switchNamed('quiet', 'q'),
  { names: ['format'], takes: 'word', example: 'report' },
  { names: ['out'], takes: 'report', example: 'report.json' },
];

/** Only gobonnie itself reads config files. */
const SOURCES: readonly Flag[] = [
  switchNamed('no-config'),
  { names: ['config'], takes: 'file', example: 'gobonnie.config.json' },
  { names: ['profile'], takes: 'word', example: 'ci' },
];

function switchNamed(...names: readonly string[]): Flag {
  return { names, takes: 'nothing', example: '' };
}

const GO_BOUNDS: FrontEnd['bounds'] = [
  ['dir', '--dir', '.'],
  ['size', '--size', '0.001'],
  ['iops-duration', '--iops-duration', '0.01'],
  ['threads', '--threads', '1'],
];

/** Every front end with its flags, from its table or from its help. */
export async function frontEnds(): Promise<readonly FrontEnd[]> {
  const go = { spelling: 'go', flags: [...CATALOGUE, ...PRESENTATION], bounds: GO_BOUNDS } as const;
  const me: FrontEnd['bounds'] = ME.length === 0 ? [] : [['user', ...ME]];
  return [
    { dialect: [], ...go, flags: [...go.flags, ...SOURCES] },
    { dialect: ['bonniego'], ...go },
    {
      ...(await told('bonnie', 'go')),
      bounds: [
        ['dir', '-d', '.'],
        ['size', '-s', '1'],
        ['seeks', '-S', '9'],
      ],
    },
    {
      ...(await told('bonnie++', 'getopt')),
      bounds: [
        ...me,
        ['dir', '-d.'],
        ['size', '-s', '1'],
        ['ram', '-r0'],
        ['files', '-n0'],
        ['fast', '-f'],
        ['quiet', '-q'],
      ],
    },
    {
      ...(await told('getc-putc', 'getopt')),
      bounds: [...me, ['dir', '-d.'], ['size', '-s4m']],
    },
    {
      ...(await told('zones', 'gnu')),
      bounds: [
        ['file', 'sample.raw'],
        ['block', '-b1'],
      ],
    },
    { ...(await told('show', 'gnu')), bounds: [['file', 'sample.csv']] },
  ];
}

/** `  -s, --size <MB>     size of a file in MiB (default: 100)` */
const HELP_ROW = /^ {2}(?:-(\w), )?--([\w-]+)(?: ([<[]).*?)?(?: {2}|$)/gm;

async function told(dialect: string, spelling: FrontEnd['spelling']): Promise<Omit<FrontEnd, 'bounds'>> {
  const { stdout } = await gobonnieHere([dialect, '--help']);
  const flags = [...stdout.matchAll(HELP_ROW)].map(([, short, long = '', bracket]): Flag => {
    const valued = bracket === '[' ? 'attached-word' : 'word';
    return {
      names: [...(short === undefined ? [] : [short]), long],
      takes: bracket === undefined ? 'nothing' : (TAKING[long] ?? valued),
      example: '64',
    };
  });
  return { dialect: [dialect], spelling, flags };
}
