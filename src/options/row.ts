import { GIB } from '../units.js';

/** One option of the benchmark: its name on every face, its bounds, and what the help and the messages say of it. */
export interface OptionRow {
  /** The long flag without its dashes; other names that mean the same come first. */
  readonly flags: readonly [...aliases: string[], name: string];
  /** What it takes. Null for a switch. */
  readonly argument: string | null;
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
