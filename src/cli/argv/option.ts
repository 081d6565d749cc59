import { Argument, Option } from 'commander';
import { type OptionRow, type OptionValues, toFlag } from '../../options/option-row.js';

export type FlagsRow = { readonly flags: string; readonly help: string } & Partial<OptionRow>;

/** commander's option, with its row for completion and messages. Its default is only displayed: the schema sets it. */
export class ValuedOption extends Option {
  readonly row: FlagsRow;

  constructor(row: FlagsRow) {
    const { flags, group = 'Options', help, defaultText, repeatable } = row;
    super(flags, help);
    this.row = row;
    this.helpGroup(`${group}:`);
    // In gobonnie, a flag that begins with "no-" is its own switch.
    this.negate = false;
    if (repeatable) this.argParser((value, previous: readonly string[] = []) => [...previous, value]);
    if (defaultText !== undefined) this.default(undefined, defaultText);
  }
}

export class ValuedArgument extends Argument {
  readonly values: OptionValues | null;

  constructor(name: string, help: string, values: OptionValues | null = null) {
    super(name, help);
    this.values = values;
  }
}

/** Adds commander's flags to a row of a catalogue. */
export function toFlagsRow(name: string, { alias, argument, ...row }: OptionRow): FlagsRow {
  const flags = alias === undefined ? toFlag(name) : `${addDashes(alias)}, ${toFlag(name)}`;
  return { ...row, flags: argument === null ? flags : `${flags} <${argument}>` };
}

export function addDashes(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
