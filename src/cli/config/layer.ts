import { GobonnieError } from '../../errors.js';
import { refusalOf } from '../../options/refusal.js';
import { shown } from '../../text/escape.js';
import type { NamedOption, Sentence } from '../../text/sentence.js';
import type { Given } from '../argv/asked.js';
import { optionRows, rowNamed } from '../argv/option-rows.js';

/** The options of one source. */
export interface Layer {
  readonly given: Given;
  /** Null for flags. */
  readonly place: Place | null;
}

/** What counts of all of them, and where each comes from. */
export interface Stacked {
  readonly given: Given;
  readonly origins: Origins;
}

/**
 * The weakest source first. What cannot be meant together is decided by the strongest that has a word on it; within one
 * source it stays, and is refused later.
 */
export function stacked(layers: readonly Layer[]): Stacked {
  const given = new Map<string, unknown>();
  const origins = new Map<string, Origin>();
  for (const layer of layers) {
    const names = Object.keys(layer.given);
    // What is turned off contradicts nothing.
    for (const name of names)
      if (layer.given[name] !== false) for (const rival of rivalsOf(name)) given.delete(rival);
    for (const name of names) {
      const value = layer.given[name];
      given.set(name, value);
      if (layer.place) origins.set(name, { place: layer.place, value });
      else origins.delete(name);
    }
  }
  return { given: Object.fromEntries(given), origins };
}

function rivalsOf(name: string): readonly string[] {
  const others = Object.entries(optionRows).filter(([, { excludes }]) => excludes?.includes(name));
  return [...(rowNamed(name).excludes ?? []), ...others.map(([other]) => other)];
}

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

/** That a value is not what its option takes. */
export function refusalAt(place: Place, option: string, value: unknown): GobonnieError {
  const { code, sentences } = refusalOf(option, rowNamed(option), value);
  const message = named(new Map([[option, { place, value }]]), sentences.message);
  return new GobonnieError(code, message, place.wayOut(option));
}

/** An error that calls options as they were written. What it hints at stays a flag, as those win. */
export function errorNaming(origins: Origins, error: unknown): unknown {
  if (!(error instanceof GobonnieError)) return error;
  const { message, hint } = error.sentences;
  return new GobonnieError(error.code, named(origins, message), hint, { cause: error });
}

function named(origins: Origins, text: Sentence): Sentence {
  if (typeof text === 'string') return text;
  const [first] = text;
  const main = typeof first === 'object' ? origins.get(first.option)?.place.heading : undefined;
  return text.map((part, at) => {
    const origin = typeof part === 'string' ? undefined : origins.get(part.option);
    if (typeof part === 'string' || !origin) return part;
    const { heading } = origin.place;
    const name = calledIn(origin, part);
    if (heading === null) return name;
    if (at === 0) return `${heading}: ${name}`;
    return heading === main ? name : `${name} of ${heading}`;
  });
}

function calledIn({ place, value }: Origin, { option, value: told }: NamedOption): string {
  if (told === undefined) return place.nameOf(option);
  // A list is told as a whole or one by one.
  const ways = Array.isArray(value) ? [value, value.join(), ...value] : [value];
  const way = ways.find((one) => shown(one) === shown(told));
  return way === undefined ? `${place.nameOf(option)} ${shown(told)}` : place.withValue(option, way);
}
