import { Argument, Option } from 'commander';
import { type OptionRow, type OptionValues, toFlag } from '../../options/option-row.js';

/** An option with its flags in commander's syntax. */
export type FlagsRow = { readonly flags: string } & Pick<OptionRow, 'help'> &
  Partial<Pick<OptionRow, 'group' | 'defaultText' | 'values' | 'repeatable' | 'example'>>;

/** commander's option, with data for completion and messages. Its default is only displayed: the schema sets it. */
export class ValuedOption extends Option {
  readonly values: OptionValues | null;
  readonly isRepeatable: boolean;
  readonly example: string | undefined;

  constructor({ flags, group = 'Options', help, defaultText, values, repeatable, example }: FlagsRow) {
    super(flags, help);
    this.values = values ?? null;
    this.isRepeatable = repeatable ?? false;
    this.example = example;
    this.helpGroup(`${group}:`);
    // In gobonnie, a flag that begins with "no-" is its own switch.
    this.negate = false;
    if (repeatable) this.argParser(collect);
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

function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
