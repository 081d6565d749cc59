import { GobonnieError } from '../../errors.js';
import { optionCatalogue } from '../../options/catalogue.js';

/** What a dialect calls a flag, and how many of its units one of gobonnie's is where that is another. */
export type FlagName = string | { readonly name: string; readonly units: number };

/** What a dialect calls gobonnie's flags: `--size 1` is bonnie's `-s 1024`. */
export type FlagNames = Readonly<Record<string, FlagName>>;

/** What the arithmetic of floating point may have added. */
const ROUNDING = 1e-6;

/** All flags in the words of a dialect: those that it has no word for are gobonnie's own. */
export function flagNames(dialect: FlagNames): FlagNames {
  const own = Object.values(optionCatalogue).map(({ flags }) => `--${flags.at(-1)}`);
  return { ...Object.fromEntries(own.map((flag) => [flag, `${flag} (gobonnie's own)`])), ...dialect };
}

/** A sentence about flags in the words of the dialect that was spoken. */
export function inWordsOf(names: FlagNames, sentence: string): string {
  // Only where a word begins: a path may hold what looks like a flag.
  return sentence.replace(
    /(at most )?(?<![^\s(])(--[a-z][a-z-]*)( \d+(?:\.\d+)?(?![^\s,;]))?/g,
    (_, atMost = '', flag: string, value = '') => {
      const known = names[flag] ?? flag;
      if (typeof known === 'string') return `${atMost}${known}${value}`;
      if (value === '') return `${atMost}${known.name}`;
      const units = Number(value) * known.units;
      const whole = atMost === '' ? Math.ceil(units - ROUNDING) : Math.floor(units + ROUNDING);
      return `${atMost}${known.name} ${whole}`;
    },
  );
}

/** Does something whose errors speak of flags. */
export function inDialect<T>(names: FlagNames, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw errorInWordsOf(names, error);
  }
}

/** The same of whatever was thrown. */
export function errorInWordsOf(names: FlagNames, error: unknown): unknown {
  if (!(error instanceof GobonnieError)) return error;
  const { code, message, hint } = error;
  return new GobonnieError(code, inWordsOf(names, message), inWordsOf(names, hint), { cause: error });
}
