import type { Option } from 'commander';
import { GobonnieError } from '../../errors.js';
import { display } from '../../text/escape.js';

const HELP = '--help';

/**
 * Rewrites getopt(3) syntax for commander: `-s100`, `-s 100` and `-qb` become `--size=100`, `--quiet` and
 * `--unbuffered`. An option with an optional value accepts only a value attached to its letter.
 */
export function normalizeGetopt(args: readonly string[], options: readonly Option[]): string[] {
  const normalized: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') return [...normalized, arg, ...rest];
    if (arg.startsWith('--') && arg !== HELP) throw unknownFlagError(arg, options);
    if (!/^-[^-]/.test(arg)) {
      normalized.push(arg);
      continue;
    }
    for (let letters = arg.slice(1); letters !== ''; ) {
      const flag = `-${letters.charAt(0)}`;
      const option = options.find(({ short }) => short === flag);
      if (!option) throw unknownFlagError(flag, options);
      letters = letters.slice(1);
      if (!option.required && !option.optional) {
        normalized.push(`${option.long}`);
        continue;
      }
      const value = letters === '' && option.required ? rest.shift() : letters;
      if (value === undefined) throw missingValueError(flag);
      normalized.push(`${option.long}=${value}`);
      letters = '';
    }
  }
  return normalized;
}

function unknownFlagError(flag: string, options: readonly Option[]): GobonnieError {
  return new GobonnieError(
    'option-unknown',
    `there is no flag ${display(flag)}`,
    `the flags are ${options.map(({ short }) => short).join(' ')}`,
  );
}

function missingValueError(flag: string): GobonnieError {
  return new GobonnieError(
    'option-invalid',
    `${flag} has no value`,
    `pass it as ${flag} VALUE or ${flag}VALUE`,
  );
}
