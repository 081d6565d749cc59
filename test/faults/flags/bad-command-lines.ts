import type { SeededRandom } from '../../support/data/seeded-random.js';
import { splitWords } from '../split-words.js';
import type { Flag, FrontEnd } from './front-ends.js';
import {
  invalidLabel,
  invalidPath,
  invalidReportPath,
  invalidWord,
  missingFile,
  unknownUser,
} from './invalid-values.js';

/** A command line that gobonnie must reject. */
export interface CommandLine {
  readonly args: readonly string[];
  /** The message must begin with one of these names, unless the list is empty. */
  readonly names: readonly string[];
}

const INVALID_SWITCH_VALUES = [
  '',
  ' true',
  'true\n',
  ...splitWords('maybe yes no on 2 tRUE nil \0 １ \u202etrue \u061c'),
];
/** No flag begins with these words. */
const UNKNOWN = splitWords('xx \u001b[2J \u202e x\0 __proto__ constructor x\n \u009b \u061c 💾');
const EXTRA_ARGUMENTS = ['', ...splitWords('␣ a␣b - . 1 \0 \u001b[2J benchmark \u202e 💾 \u009bm \u061c')];

/** Valid flags that do not change the rejection, in any order. */
const HARMLESS_FLAGS: Readonly<Record<FrontEnd['spelling'], FrontEnd['smallRunFlags']>> = {
  go: [
    ['label', '-label', 'bøx 1'],
    ['y', '-y'],
  ],
  getopt: [
    ['label', '-mbøx 1'],
    ['quiet', '-q'],
  ],
  gnu: [],
};

/** Returns a command line with a wrong value for this flag. */
export function wrongValue(random: SeededRandom, frontEnd: FrontEnd, flag: Flag): CommandLine {
  const wrong = () => spellFlag(random, frontEnd, flag, pickWrongValue(random, frontEnd, flag));
  const right =
    random.chance(0.2) && flag.example !== '' ? spellFlag(random, frontEnd, flag, flag.example) : [];
  const again = random.chance(0.1) ? wrong() : [];
  return {
    args: [
      ...frontEnd.dialect,
      ...withSmallRunFlags(random, frontEnd, flag, [...right, ...again, ...wrong()]),
    ],
    // A valid -u may come before the wrong -g.
    names:
      flag.valueKind === 'user'
        ? []
        : flag.names
            .map((name) => `-${name.length > 1 ? '-' : ''}${name}`)
            .flatMap((name) => [name, `invalid ${name}`, `unknown ${name}`]),
  };
}

/** Returns a command line with an unknown flag. */
export function unknownFlag(random: SeededRandom, frontEnd: FrontEnd): CommandLine {
  const letters = Array.from({ length: 1 + random.upTo(8) }, () => String.fromCharCode(97 + random.upTo(25)));
  const name = `${random.oneOf(UNKNOWN)}${letters.join('')}`;
  const flag = frontEnd.spelling === 'gnu' || random.chance(0.5) ? `--${name}` : `-${name}`;
  const word = random.chance(0.3) ? `${flag}=1` : flag;
  return { args: [...frontEnd.dialect, ...withSmallRunFlags(random, frontEnd, null, [word])], names: [] };
}

/** Returns a command line whose last flag lacks its value. */
export function missingValue(random: SeededRandom, frontEnd: FrontEnd, flag: Flag): CommandLine {
  const name = random.oneOf(flag.names);
  const short = frontEnd.spelling === 'getopt' ? flag.names[0] : name;
  return {
    args: [...frontEnd.dialect, ...withSmallRunFlags(random, frontEnd, flag, []), withDashes(short ?? name)],
    names: [],
  };
}

/** Returns a command line with an extra argument, which only show accepts. */
export function extraArgument(random: SeededRandom, frontEnd: FrontEnd): CommandLine {
  const extra = random.oneOf(EXTRA_ARGUMENTS);
  const args = random.oneOf([[extra], [extra, extra], ['--', extra], ['--', '--size']]);
  return { args: [...frontEnd.dialect, ...withSmallRunFlags(random, frontEnd, null, args)], names: [] };
}

function pickWrongValue(
  random: SeededRandom,
  { dialect }: FrontEnd,
  { valueKind, example, names }: Flag,
): string {
  switch (valueKind) {
    case 'nothing':
      return random.oneOf(INVALID_SWITCH_VALUES);
    case 'label':
      return invalidLabel(random);
    case 'directory':
      // gobonnie creates a missing directory; the ancestors do not.
      return dialect.length === 0 || dialect[0] === 'bonniego' || random.chance(0.5)
        ? invalidPath(random)
        : missingFile(random);
    case 'file':
      return missingFile(random);
    case 'user':
      return unknownUser(random);
    case 'report':
      return invalidReportPath(random);
    default: {
      const value = invalidWord(random, example);
      // -p -1 is valid.
      return (names.includes('parties') && value === '-1') || (valueKind === 'attached-word' && value === '')
        ? 'x'
        : value;
    }
  }
}

function spellFlag(
  random: SeededRandom,
  { spelling }: FrontEnd,
  flag: Flag,
  value: string,
): readonly string[] {
  const [first = ''] = flag.names;
  const name = random.oneOf(flag.names);
  const dashes = random.oneOf(['-', '--']);
  if (spelling === 'getopt')
    return flag.valueKind === 'attached-word' || (value !== '' && random.chance(0.5))
      ? [`-${first}${value}`]
      : [`-${first}`, value];
  if (flag.valueKind === 'nothing') return [`${dashes}${name}=${value}`];
  if (spelling === 'go' || name.length > 1) {
    const word = spelling === 'go' ? `${dashes}${name}` : `--${name}`;
    return random.chance(0.5) ? [word, value] : [`${word}=${value}`];
  }
  return value !== '' && random.chance(0.5) ? [`-${name}${value}`] : [`-${name}`, value];
}

/** Adds flags for a small run, except the tested flag, and some harmless flags. */
function withSmallRunFlags(
  random: SeededRandom,
  { smallRunFlags, spelling }: FrontEnd,
  flag: Flag | null,
  words: readonly string[],
): readonly string[] {
  const otherFlags = (rows: FrontEnd['smallRunFlags']) =>
    rows.filter(([name]) => !flag?.names.includes(name)).map(([, ...args]) => args);
  const small = otherFlags(smallRunFlags);
  const harmless = otherFlags(HARMLESS_FLAGS[spelling]).filter(() => random.chance(0.3));
  const isLast = words.includes('--') || random.chance(0.5);
  return isLast ? [...small, ...harmless, words].flat() : [...small, words, ...harmless].flat();
}

function withDashes(name: string): string {
  return name.length > 1 ? `--${name}` : `-${name}`;
}
