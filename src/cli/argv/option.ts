import { Argument, Option } from 'commander';
import type { OptionGroup, OptionRow, Values } from '../../options/row.js';
import { optionRows } from './option-rows.js';

/** An option with its flags as commander writes them. */
export interface FlagsRow {
  readonly flags: string;
  readonly group?: OptionGroup;
  readonly help: string;
  /** What the help shows as the default. */
  readonly defaultText?: string;
  readonly values?: Values;
  /** Whether it may be given several times; its values are then a list. */
  readonly repeatable?: boolean;
}

/** commander's option, which also knows its possible values. Its default is only shown: the schema sets it. */
export class ValuedOption extends Option {
  readonly group: OptionGroup;
  readonly values: Values | null;
  readonly isRepeatable: boolean;

  constructor({ flags, group = 'Options', help, defaultText, values, repeatable = false }: FlagsRow) {
    super(flags, help);
    this.group = group;
    this.values = values ?? null;
    this.isRepeatable = repeatable;
    this.helpGroup(headingOf(group));
    // A flag that begins with "no-" is a switch of its own here.
    this.negate = false;
    if (repeatable) this.argParser(collect);
    if (defaultText !== undefined) this.default(undefined, defaultText);
  }
}

export class ValuedArgument extends Argument {
  readonly values: Values | null;

  constructor(name: string, help: string, values: Values | null = null) {
    super(name, help);
    this.values = values;
  }
}

export function headingOf(group: OptionGroup): string {
  return `${group}:`;
}

/** A row of a catalogue for commander. */
export function optionOf(name: string, row: OptionRow): ValuedOption {
  const { flags, argument, defaultText, ...rest } = row;
  const spelled = flags.map((flag) => (flag.length === 1 ? `-${flag}` : `--${flag}`)).join(', ');
  const option = new ValuedOption({
    ...rest,
    flags: argument === null ? spelled : `${spelled} <${argument}>`,
    ...(defaultText === null ? {} : { defaultText }),
  });
  if (option.attributeName() !== name)
    throw new Error(`--${flags.at(-1)} is called ${name} in the catalogue`);
  return option;
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A value to suggest for a flag that lacks one. */
export function exampleOf(flag: string): string | undefined {
  return Object.values(optionRows).find(({ flags }) => flag === `--${flags.at(-1)}`)?.example;
}
