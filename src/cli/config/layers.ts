import { GobonnieError } from '../../errors.js';
import { refusalOf } from '../../options/judge-options.js';
import { shown } from '../../text/escape.js';
import type { NamedOption, Sentence } from '../../text/sentence.js';
import { optionRows, type RawOptions, rowNamed } from '../argv/option-rows.js';

/** The options of one source, or of several merged, by name. */
export type Layer = ReadonlyMap<string, Setting>;

interface Setting {
  readonly value: unknown;
  /** Null for a flag. */
  readonly origin: Origin | null;
}

/** A source other than flags, and how messages speak of an option in it. */
export interface Origin {
  /** The file, which a message names before its first option. Null if the options' names say enough. */
  readonly file: string | null;
  /** `profiles.ci.size`, `GOBONNIE_SIZE`. */
  readonly nameOf: (option: string) => string;
  /** `size "abc"`, `GOBONNIE_SIZE=abc`. */
  readonly withValue: (option: string, value: unknown) => string;
  /** What to write instead of a wrong value. */
  readonly hint: (option: string) => string;
}

export function layerOf(raw: RawOptions, origin: Origin | null): Layer {
  return new Map(Object.entries(raw).map(([name, value]) => [name, { value, origin }]));
}

/** Two options of the same source that exclude each other both stay, and are refused later. */
export function merge(weaker: Layer, stronger: Layer): Layer {
  const merged = new Map(weaker);
  // A switch that is turned off excludes nothing.
  for (const [name, { value }] of stronger)
    if (value !== false) for (const rival of rivalsOf(name)) merged.delete(rival);
  return new Map([...merged, ...stronger]);
}

function rivalsOf(name: string): readonly string[] {
  const others = Object.entries(optionRows).filter(([, { excludes }]) => excludes?.includes(name));
  return [...(rowNamed(name).excludes ?? []), ...others.map(([other]) => other)];
}

export function valuesIn(layer: Layer): RawOptions {
  return Object.fromEntries([...layer].map(([name, { value }]) => [name, value]));
}

export function refusalAt(origin: Origin, option: string, value: unknown): GobonnieError {
  const { code, sentences } = refusalOf(option, rowNamed(option), value);
  const message = named(layerOf({ [option]: value }, origin), sentences.message);
  return new GobonnieError(code, message, origin.hint(option));
}

/** The error with its options called as they were written. Its hint keeps the flags, as those win. */
export function errorNaming(settings: Layer, error: unknown): unknown {
  if (!(error instanceof GobonnieError)) return error;
  const { message, hint } = error.sentences;
  return new GobonnieError(error.code, named(settings, message), hint, { cause: error });
}

function named(settings: Layer, text: Sentence): Sentence {
  if (typeof text === 'string') return text;
  const [first] = text;
  const mainFile = typeof first === 'object' ? settings.get(first.option)?.origin?.file : undefined;
  return text.map((part, at) => {
    if (typeof part === 'string') return part;
    const { value, origin = null } = settings.get(part.option) ?? {};
    if (!origin) return part;
    const { file } = origin;
    const name = nameIn(origin, value, part);
    if (file === null) return name;
    if (at === 0) return `${file}: ${name}`;
    return file === mainFile ? name : `${name} of ${file}`;
  });
}

function nameIn(origin: Origin, written: unknown, { option, value }: NamedOption): string {
  if (value === undefined) return origin.nameOf(option);
  // A message may quote one value of a list, or the whole list.
  const spellings = Array.isArray(written) ? [written, written.join(), ...written] : [written];
  const spelling = spellings.find((one) => shown(one) === shown(value));
  return spelling === undefined
    ? `${origin.nameOf(option)} ${shown(value)}`
    : origin.withValue(option, spelling);
}
