import { GobonnieError } from '../../errors.js';
import { shown } from '../../text/escape.js';
import { nameOfFlag, rowNamed } from '../argv/option-rows.js';

/** Where options are written that are no flags, and how messages speak of them. */
export interface Place {
  /** What goes before the first of them in a sentence: the file. Null where their names say enough. */
  readonly heading: string | null;
  /** `profiles.ci.size`, `GOBONNIE_SIZE`. */
  readonly nameOf: (option: string) => string;
  /** `size "abc"`, `GOBONNIE_SIZE=abc`. */
  readonly withValue: (option: string, value: unknown) => string;
  /** How to write one that would do. */
  readonly wayOut: (option: string) => string;
}

/** What was given, and where; flags are in no place. */
export interface Origin {
  readonly place: Place;
  readonly value: unknown;
}

/** By the names of the options. */
export type Origins = ReadonlyMap<string, Origin>;

/** Only where a word begins: a path may hold what looks like a flag. */
const FLAG = /(?<![^\s(])--[a-z][a-z-]*/g;
const FLAG_AND_WORD = /(?<![^\s(])(--[a-z][a-z-]*)( (?!--)\S+)?/g;

/** That a value is not what its option takes. */
export function refusalAt(place: Place, option: string, value: unknown): GobonnieError {
  const { heading, withValue, nameOf, wayOut } = place;
  const expects = rowNamed(option).expects.replace(FLAG, (flag) => {
    const other = nameOfFlag(flag);
    return other === undefined ? flag : nameOf(other);
  });
  return new GobonnieError(
    'option-invalid',
    `${headed(heading)}${withValue(option, value)} is not ${expects}`,
    wayOut(option),
  );
}

/** An error that speaks of flags, which calls them as they were written. What it hints at stays a flag, as those win. */
export function errorNaming(origins: Origins, error: unknown): unknown {
  if (!(error instanceof GobonnieError)) return error;
  const { code, message, hint } = error;
  const named = sentenceNaming(origins, message);
  return named === message ? error : new GobonnieError(code, named, hint, { cause: error });
}

function sentenceNaming(origins: Origins, sentence: string): string {
  let said: string | null = null;
  return sentence.replace(FLAG_AND_WORD, (whole, flag: string, word: string | undefined, at: number) => {
    const option = nameOfFlag(flag);
    const origin = option === undefined ? undefined : origins.get(option);
    if (option === undefined || !origin) return whole;
    const { place, value } = origin;
    const { heading } = place;
    const isFirst = at === 0;
    const before = isFirst ? headed(heading) : '';
    const behind = isFirst || heading === null || heading === said ? '' : ` of ${heading}`;
    if (isFirst) said = heading;
    // A list is told as a whole or one by one.
    const ways = Array.isArray(value) ? [value.join(), ...value] : [value];
    const told = ways.find((one) => word === ` ${shown(one)}`);
    const named = told === undefined ? place.nameOf(option) : place.withValue(option, told);
    return `${before}${named}${behind}${told === undefined ? (word ?? '') : ''}`;
  });
}

function headed(heading: string | null): string {
  return heading === null ? '' : `${heading}: `;
}
