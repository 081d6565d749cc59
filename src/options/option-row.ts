import { flag, formatFlag } from '../text/message-template.js';
import { GIB } from '../text/units.js';

/** The headings of the help, in order. A command with few options has only the first. */
export const OPTION_GROUPS = [
  'Options',
  'What to measure',
  'I/O',
  'Repetition',
  'Small files and single bytes',
  'Output',
  'CI and thresholds',
  'Multi-host',
  'Other',
] as const;

export type OptionGroup = (typeof OPTION_GROUPS)[number];

/** A value that a shell may offer, with a description. */
export interface Choice {
  readonly word: string;
  readonly help: string;
}

/** The words that an option accepts, for completion. */
export interface OptionValues {
  /** A function loads them only when needed. */
  readonly choices: readonly (string | Choice)[] | (() => Promise<readonly string[]>);
  /** Whether several may be given, separated by commas. */
  readonly isList?: true;
}

/** What the help and messages say about an option. Its flag follows from its name: `ioSize` is `--io-size`. */
export interface OptionRow {
  /** Another flag for it, without dashes. */
  readonly alias?: string;
  /** What it takes. Null for a switch. FILE and DIR are completed as paths, and are relative to a config file. */
  readonly argument: string | null;
  readonly values?: OptionValues;
  /** Whether it may be given several times; its values are then a list. */
  readonly repeatable?: true;
  readonly group: OptionGroup;
  readonly help: string;
  /** The default that the help shows. */
  readonly defaultText?: string;
  /** Completes the sentence "--size 0 is not …". */
  readonly expects: string;
  /** A valid value. */
  readonly example: string;
  /** Options that cannot be used with it. If two sources set them, the one with precedence counts. */
  readonly excludes?: readonly string[];
}

export function toFlag(name: string): string {
  return formatFlag(flag(name));
}

export const MAX_THREADS = 1024;
export const MAX_TRANSFER_BYTES = GIB;

export const SWITCH = {
  argument: null,
  expects: 'true or false',
  example: 'true',
} as const;
