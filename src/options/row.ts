import { GIB } from '../text/units.js';

/** The headings of the help, in its order. A command of few options has them all under the first. */
export const OPTION_GROUPS = [
  'Options',
  'What to measure',
  'How',
  'How often',
  'Small files and single bytes',
  'The answer',
  'In a pipeline',
  'Other',
] as const;

export type OptionGroup = (typeof OPTION_GROUPS)[number];

/** A word that stands for something, and what that is, where a shell has a line to say it. */
export interface Choice {
  readonly word: string;
  readonly help: string;
}

/** What a value may be, where that is one of some words: what a shell completes. */
export interface Values {
  /** Loaded only where they are wanted. */
  readonly choices: readonly (string | Choice)[] | (() => Promise<readonly string[]>);
  /** Whether it may be several of them, with commas between. */
  readonly isList?: true;
}

/** One option of the benchmark: its name on every face, its bounds, and what the help and the messages say of it. */
export interface OptionRow {
  /** The long flag without its dashes; other names that mean the same come first. */
  readonly flags: readonly [...aliases: string[], name: string];
  /** What it takes. Null for a switch. FILE and DIR are paths to every shell. */
  readonly argument: string | null;
  readonly values?: Values;
  /** Whether it may be given several times; its values are then a list. */
  readonly repeatable?: true;
  /** Where the help has it. */
  readonly group: OptionGroup;
  readonly help: string;
  /** What the help shows as the default. Null where that goes without saying. */
  readonly defaultText: string | null;
  /** Completes the sentence "--size 0 is not …". */
  readonly expects: string;
  /** A value that would do. */
  readonly example: string;
  /** What cannot be meant together with it: of two sources the stronger one decides, and its word is kept. */
  readonly excludes?: readonly string[];
}

export const MAX_THREADS = 1024;
export const MAX_TRANSFER_BYTES = GIB;

/** What is said of a switch that a program set to something odd. */
export const SWITCH = {
  argument: null,
  defaultText: null,
  expects: 'true or false',
  example: 'true',
} as const;
