import type { SeededRandom } from '../../support/data/seeded-random.js';
import { words } from '../words.js';
import type { Flag, FrontEnd } from './flags.js';
import { gibberish, noFile, noLabel, noPath, noReport, noUser } from './gibberish.js';

/** A command line that must be refused. */
export interface Vector {
  readonly args: readonly string[];
  /** The refusal begins with one of these, if there are any. */
  readonly names: readonly string[];
}

const NO_SWITCH = ['', ' true', 'true\n', ...words('maybe yes no on 2 tRUE nil \0 １ \u202etrue \u061c')];
/** No flag begins with these. */
const UNKNOWN = words('xx \u001b[2J \u202e x\0 __proto__ constructor x\n \u009b \u061c 💾');
const STRAYS = ['', ...words('␣ a␣b - . 1 \0 \u001b[2J benchmark \u202e 💾 \u009bm \u061c')];

/** Valid flags that do not change the refusal, in any order. */
const COMPANIONS: Readonly<Record<FrontEnd['spelling'], FrontEnd['bounds']>> = {
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

/** A command line with a wrong value for this flag. */
export function wrongValue(random: SeededRandom, front: FrontEnd, flag: Flag): Vector {
  const wrong = () => spelled(random, front, flag, wrongValueOf(random, front, flag));
  const right = random.chance(0.2) && flag.example !== '' ? spelled(random, front, flag, flag.example) : [];
  const again = random.chance(0.1) ? wrong() : [];
  return {
    args: [...front.dialect, ...around(random, front, flag, [...right, ...again, ...wrong()])],
    // A valid -u may come before the wrong -g.
    names: flag.takes === 'user' ? [] : flag.names.map((name) => `-${name.length > 1 ? '-' : ''}${name}`),
  };
}

/** A command line with an unknown flag. */
export function unknownFlag(random: SeededRandom, front: FrontEnd): Vector {
  const letters = Array.from({ length: 1 + random.upTo(8) }, () => String.fromCharCode(97 + random.upTo(25)));
  const word = `${random.oneOf(UNKNOWN)}${letters.join('')}`;
  const flag = front.spelling === 'gnu' || random.chance(0.5) ? `--${word}` : `-${word}`;
  const given = random.chance(0.3) ? `${flag}=1` : flag;
  return { args: [...front.dialect, ...around(random, front, null, [given])], names: [] };
}

/** A command line whose last flag lacks its value. */
export function noValue(random: SeededRandom, front: FrontEnd, flag: Flag): Vector {
  const name = random.oneOf(flag.names);
  const short = front.spelling === 'getopt' ? flag.names[0] : name;
  return { args: [...front.dialect, ...around(random, front, flag, []), dashed(short ?? name)], names: [] };
}

/** A command line with an argument, which no front end but show takes. */
export function strayArgument(random: SeededRandom, front: FrontEnd): Vector {
  const stray = random.oneOf(STRAYS);
  const stands = random.oneOf([[stray], [stray, stray], ['--', stray], ['--', '--size']]);
  return { args: [...front.dialect, ...around(random, front, null, stands)], names: [] };
}

function wrongValueOf(random: SeededRandom, { dialect }: FrontEnd, { takes, example, names }: Flag): string {
  switch (takes) {
    case 'nothing':
      return random.oneOf(NO_SWITCH);
    case 'label':
      return noLabel(random);
    case 'directory':
      // gobonnie makes a missing directory; the ancestors do not.
      return dialect.length === 0 || dialect[0] === 'bonniego' || random.chance(0.5)
        ? noPath(random)
        : noFile(random);
    case 'file':
      return noFile(random);
    case 'user':
      return noUser(random);
    case 'report':
      return noReport(random);
    default: {
      const value = gibberish(random, example);
      // -p -1 is valid.
      return (names.includes('parties') && value === '-1') || (takes === 'attached-word' && value === '')
        ? 'x'
        : value;
    }
  }
}

function spelled(random: SeededRandom, { spelling }: FrontEnd, flag: Flag, value: string): readonly string[] {
  const [first = ''] = flag.names;
  const name = random.oneOf(flag.names);
  const dashes = random.oneOf(['-', '--']);
  if (spelling === 'getopt')
    return flag.takes === 'attached-word' || (value !== '' && random.chance(0.5))
      ? [`-${first}${value}`]
      : [`-${first}`, value];
  if (flag.takes === 'nothing') return [`${dashes}${name}=${value}`];
  if (spelling === 'go' || name.length > 1) {
    const given = spelling === 'go' ? `${dashes}${name}` : `--${name}`;
    return random.chance(0.5) ? [given, value] : [`${given}=${value}`];
  }
  return value !== '' && random.chance(0.5) ? [`-${name}${value}`] : [`-${name}`, value];
}

/** Adds flags for a small run, except those that are tested, and some companions. */
function around(
  random: SeededRandom,
  { bounds, spelling }: FrontEnd,
  flag: Flag | null,
  words: readonly string[],
): readonly string[] {
  const argsOf = (rows: FrontEnd['bounds']) =>
    rows.filter(([about]) => !flag?.names.includes(about)).map(([, ...args]) => args);
  const kept = argsOf(bounds);
  const others = argsOf(COMPANIONS[spelling]).filter(() => random.chance(0.3));
  const isLast = words.includes('--') || random.chance(0.5);
  return isLast ? [...kept, ...others, words].flat() : [...kept, words, ...others].flat();
}

function dashed(name: string): string {
  return name.length > 1 ? `--${name}` : `-${name}`;
}
