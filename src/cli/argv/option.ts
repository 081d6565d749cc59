import { Argument, Option } from 'commander';
import { optionError } from '../../errors.js';
import { BESIDE_SIGN } from '../../options/option-catalogue.js';
import type { OptionRow, OptionValues } from '../../options/option-row.js';
import { toFlag } from '../../text/message-template.js';

export type FlagsRow = Partial<OptionRow> & {
  readonly flags: string;
  readonly help: string;
  /** True if -h also lists it. */
  readonly isBrief?: boolean;
};

/** For every command with --step. Each value belongs to the step before it. */
const BESIDE_ROW: FlagsRow = {
  flags: '--beside <STEP>',
  group: 'What to measure',
  help: 'another step beside the --step before it, with threads and data of its own, from before its start until after its end; repeatable',
  example: 'write,block-size=1m,direct',
  isBrief: true,
};

/** -h lists these groups, and the options that most users need from the others. */
const BRIEF_GROUPS = ['What to measure', 'With -- COMMAND'];
// biome-ignore format: a list of words
const BRIEF_OPTIONS = [
  'direct', 'runs', 'json', 'format', 'out', 'dryRun', 'expect', 'baseline', 'latency', 'from',
];

/** The help prints it as a space, at which it does not break lines. */
export const NO_BREAK_SPACE = '\u00a0';
/** A longer default may wrap. */
const MAX_UNBROKEN_DEFAULT = 60;
const MAX_BRIEF_TEXT = 62;

/** commander's option, with its row for completion and messages. Its default is only displayed: the schema sets it. */
export class ValuedOption extends Option {
  readonly row: FlagsRow;

  constructor(row: FlagsRow) {
    const { flags, group = 'Options', help, defaultText, repeatable } = row;
    super(flags, defaultText === undefined ? help : `${help} ${formatDefault(defaultText)}`);
    this.row = row;
    this.helpGroup(`${group}:`);
    // In gobonnie, a flag that begins with "no-" is its own switch.
    this.negate = false;
    if (repeatable) this.argParser((value, previous: readonly string[] = []) => [...previous, value]);
    if (row === BESIDE_ROW) {
      this.attributeName = () => 'steps';
      this.argParser(addBesideLastStep);
    }
  }
}

function addBesideLastStep(value: string, steps: readonly string[] = []): readonly string[] {
  const last = steps.at(-1);
  if (last === undefined)
    throw optionError('--beside has no --step before it', 'for example, --step random --beside write');
  return [...steps.slice(0, -1), `${last}${BESIDE_SIGN}${value}`];
}

/** Returns a row for the help of -h: the first clause, and the default if it is short. */
export function toBriefRow({ group, help, defaultText = '', ...row }: FlagsRow): FlagsRow {
  const clause = help.replace(/[,;:(].*/, '').trim();
  const isShort = `${clause} ${formatDefault(defaultText)}`.length <= MAX_BRIEF_TEXT;
  return { ...row, help: clause, defaultText: isShort && defaultText ? defaultText : undefined };
}

function formatDefault(text: string): string {
  const formatted = `(default: ${text})`;
  return formatted.length > MAX_UNBROKEN_DEFAULT ? formatted : formatted.replaceAll(' ', NO_BREAK_SPACE);
}

export class ValuedArgument extends Argument {
  readonly values: OptionValues | null;

  constructor(name: string, help: string, values: OptionValues | null = null) {
    super(name, help);
    this.values = values;
  }
}

/** Adds commander's flags to the rows of a command. */
export function toFlagsRows(rows: Readonly<Record<string, OptionRow>>): readonly FlagsRow[] {
  return Object.entries(rows).flatMap(([name, row]) =>
    name === 'steps' ? [toFlagsRow(name, row), BESIDE_ROW] : [toFlagsRow(name, row)],
  );
}

/** Adds commander's flags to a row of a catalogue. */
export function toFlagsRow(name: string, { alias, argument, ...row }: OptionRow): FlagsRow {
  const flags = alias === undefined ? toFlag(name) : `${addDashes(alias)}, ${toFlag(name)}`;
  const isBrief = BRIEF_GROUPS.includes(row.group) || BRIEF_OPTIONS.includes(name);
  return { ...row, isBrief, flags: argument === null ? flags : `${flags} <${argument}>` };
}

export function addDashes(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
