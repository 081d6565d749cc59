import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';

/** What getopt(3) knows of a flag, and what commander calls it. */
export interface GetoptFlag {
  readonly letter: string;
  readonly name: string;
  /** `attached`: only what stands directly behind the letter is its value, which is empty where nothing does. */
  readonly value: 'none' | 'needed' | 'attached';
}

const HELP = '--help';

/** Puts getopt's spellings, `-s100`, `-s 100` and `-qb`, into those that commander lexes: `--size=100`. */
export function fromGetopt(args: readonly string[], flags: readonly GetoptFlag[]): string[] {
  const lexed: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') return [...lexed, arg, ...rest];
    if (arg.startsWith('--') && arg !== HELP) throw noFlag(arg, flags);
    if (!/^-[^-]/.test(arg)) {
      lexed.push(arg);
      continue;
    }
    for (let letters = arg.slice(1); letters !== ''; ) {
      const flag = flagOf(letters.charAt(0), flags);
      const behind = letters.slice(1);
      letters = flag.value === 'none' ? behind : '';
      if (flag.value === 'none') {
        lexed.push(`--${flag.name}`);
        continue;
      }
      const value = behind === '' && flag.value === 'needed' ? rest.shift() : behind;
      if (value === undefined) throw noValue(flag);
      lexed.push(`--${flag.name}=${value}`);
    }
  }
  return lexed;
}

function flagOf(letter: string, flags: readonly GetoptFlag[]): GetoptFlag {
  const flag = flags.find((known) => known.letter === letter);
  if (flag) return flag;
  throw noFlag(`-${letter}`, flags);
}

function noFlag(given: string, flags: readonly GetoptFlag[]): GobonnieError {
  return new GobonnieError(
    'option-unknown',
    `there is no flag ${shown(given)}`,
    `the flags are ${flags.map((known) => `-${known.letter}`).join(' ')}`,
  );
}

function noValue({ letter }: GetoptFlag): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    `-${letter} has no value`,
    `pass it as -${letter} VALUE or -${letter}VALUE`,
  );
}
