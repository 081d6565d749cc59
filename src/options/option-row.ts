import { GIB } from '../text/units.js';

/** Headings of the help, in order. A command with few options uses only the first heading. */
export const OPTION_GROUPS = [
  'Options',
  'What to measure',
  'I/O',
  'Repetition',
  'Small files and single bytes',
  'With -- COMMAND',
  'Output',
  'CI and thresholds',
  'Multi-host',
  'Other',
] as const;

export type OptionGroup = (typeof OPTION_GROUPS)[number];

/** A completion that a shell may offer, with a description. */
export interface Choice {
  readonly word: string;
  readonly help: string;
}

/** The values that an option accepts, for completion. */
export interface OptionValues {
  /** A function loads them only when needed. */
  readonly choices: readonly (string | Choice)[] | (() => Promise<readonly (string | Choice)[]>);
  /** True if the option accepts several of them, separated by commas. */
  readonly isList?: true;
}

/** An option in the help and in messages. Its flag follows from its name: `ioSize` is `--io-size`. */
export interface OptionRow {
  /** Its second flag, without dashes. */
  readonly alias?: string;
  /** Placeholder of its value; null for a switch. FILE and DIR are paths, in a config file relative to the file. */
  readonly argument: string | null;
  readonly values?: OptionValues;
  /** True if the flag may be repeated; the option's value is then a list. */
  readonly repeatable?: true;
  /** Without any of these options, the flag would have no effect and is rejected. */
  readonly needs?: readonly string[];
  /** With any of these flags, the flag would have no effect and is rejected. */
  readonly conflicts?: readonly string[];
  readonly group: OptionGroup;
  readonly help: string;
  /** Omitted if the default depends on the machine. */
  readonly default?: unknown;
  /** The default, as the help shows it. */
  readonly defaultText?: string | undefined;
  /** Completes "invalid --size 0: expected …". */
  readonly expects: string;
  readonly example: string;
}

/** Returns rows below a heading of the help. It replaces the heading of a row of another catalogue. */
export function inGroup<const Rows extends Readonly<Record<string, Omit<OptionRow, 'group'>>>>(
  group: OptionGroup,
  rows: Rows,
) {
  const grouped = Object.entries(rows).map(([name, row]) => [name, { ...row, group }]);
  return Object.fromEntries(grouped) as {
    readonly [Name in keyof Rows]: Omit<Rows[Name], 'group'> & Pick<OptionRow, 'group'>;
  };
}

/** A default that the help shows as it is. */
export function defaultsTo<const Value>(value: Value) {
  return { default: value, defaultText: String(value) };
}

/** Returns the part of a row that describes a path. */
export function pathOf(noun: 'file' | 'directory', example: string) {
  return { argument: noun === 'file' ? 'FILE' : 'DIR', expects: `the path of a ${noun}`, example } as const;
}

export const MAX_THREADS = 1024;
export const MAX_TRANSFER_BYTES = GIB;

/** Returns the row of a switch, which is off by default. */
export function switchRow(help: string) {
  return { argument: null, help, expects: 'true or false', example: 'true' } as const;
}

export interface Bounds {
  readonly min: number;
  /** True if the number must be larger than `min`. */
  readonly isAbove?: true;
  readonly max?: number;
}

interface NumberFacts extends Bounds {
  /** Omitted if the default depends on the machine. */
  readonly default?: number;
  readonly example: string;
}

/** Returns a function for the part of a row that describes a number. */
function numberRow(argument: string, noun: string, formatMax: (max: number) => string = String) {
  return <const Facts extends NumberFacts>(facts: Facts) => {
    const expects = `${noun}${rangeText(facts, formatMax)}`;
    return { argument, expects, defaultText: facts.default?.toString(), ...facts } as const;
  };
}

export const wholeNumber = numberRow('N', 'a whole number');
export const byteCount = numberRow('BYTES', 'a whole number of bytes', (max) => `${max / GIB}g`);
export const seconds = numberRow('S', 'a number of seconds');
export const percent = numberRow('PERCENT', 'a number');

function rangeText({ min, isAbove, max }: Bounds, formatMax: (max: number) => string): string {
  if (max === undefined) return min === 1 ? ' above 0' : `, ${min} or more`;
  return isAbove ? ` above ${min} and at most ${formatMax(max)}` : ` from ${min} to ${formatMax(max)}`;
}

export function oneOf<const Word extends string, const Default extends Word>(
  choices: readonly Word[],
  facts: { readonly default: Default; readonly example: Word },
) {
  const expects = `one of ${choices.join(', ')}`;
  return { values: { choices }, expects, defaultText: facts.default, ...facts } as const;
}
