import { Argument, Option } from 'commander';
import type { OptionGroup, OptionRow, Values } from '../../options/row.js';
import { optionRows } from './option-rows.js';

/** An option as a dialect lists it, in commander's spelling of its flags. */
export interface FlagsRow {
  readonly flags: string;
  readonly group?: OptionGroup;
  readonly help: string;
  /** What the help shows as the default. */
  readonly defaultText?: string;
  readonly values?: Values;
  /** Whether several of them gather a list. */
  readonly repeatable?: boolean;
}

/** commander's option, that also knows what its value may be. Its default is said, and not set: that is the judge's. */
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
    // What begins with "no-" is a switch of its own, which may be turned off as well.
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

/** A row of a catalogue as commander takes it. */
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

/** A value for an option that was given none. */
export function exampleOf(flag: string): string | undefined {
  return Object.values(optionRows).find(({ flags }) => flag === `--${flags.at(-1)}`)?.example;
}
