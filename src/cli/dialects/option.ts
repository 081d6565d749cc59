import { Option } from 'commander';
import { optionRows } from '../option-rows.js';
import type { PresentationRow } from '../presentation-catalogue.js';

/** A row of a catalogue as commander takes it. */
export function optionOf(name: string, row: PresentationRow): Option {
  const { flags, argument, help, defaultText, repeatable } = row;
  const spelled = flags.map((flag) => (flag.length === 1 ? `-${flag}` : `--${flag}`)).join(', ');
  const option = new Option(
    argument === null ? spelled : `${spelled} <${argument}>`,
    defaultText === null ? help : `${help} (default: ${defaultText})`,
  );
  // What begins with "no-" is a switch of its own, which may be turned off as well.
  option.negate = false;
  if (option.attributeName() !== name)
    throw new Error(`--${flags.at(-1)} is called ${name} in the catalogue`);
  return repeatable ? option.argParser(collect) : option;
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A value for an option that was given none. */
export function exampleOf(flag: string): string | undefined {
  return Object.values(optionRows).find(({ flags }) => flag === `--${flags.at(-1)}`)?.example;
}
