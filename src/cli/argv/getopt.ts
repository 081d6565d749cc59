import type { Option } from 'commander';
import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';

const HELP = '--help';

/**
 * Rewrites what getopt(3) accepts for commander: `-s100`, `-s 100` and `-qb` become `--size=100`, `--quiet` and
 * `--unbuffered`. An option with an optional value takes only a value attached to its letter.
 */
export function fromGetopt(args: readonly string[], options: readonly Option[]): string[] {
  const lexed: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') return [...lexed, arg, ...rest];
    if (arg.startsWith('--') && arg !== HELP) throw unknownFlag(arg, options);
    if (!/^-[^-]/.test(arg)) {
      lexed.push(arg);
      continue;
    }
    for (let letters = arg.slice(1); letters !== ''; ) {
      const flag = `-${letters.charAt(0)}`;
      const option = options.find(({ short }) => short === flag);
      if (!option) throw unknownFlag(flag, options);
      letters = letters.slice(1);
      if (!option.required && !option.optional) {
        lexed.push(`${option.long}`);
        continue;
      }
      const value = letters === '' && option.required ? rest.shift() : letters;
      if (value === undefined) throw missingValue(flag);
      lexed.push(`${option.long}=${value}`);
      letters = '';
    }
  }
  return lexed;
}

function unknownFlag(given: string, options: readonly Option[]): GobonnieError {
  return new GobonnieError(
    'option-unknown',
    `there is no flag ${display(given)}`,
    `the flags are ${options.map(({ short }) => short).join(' ')}`,
  );
}

function missingValue(flag: string): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    `${flag} has no value`,
    `pass it as ${flag} VALUE or ${flag}VALUE`,
  );
}
