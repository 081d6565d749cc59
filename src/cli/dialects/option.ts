import { Option } from 'commander';
import { optionCatalogue } from '../../options/catalogue.js';
import type { OptionsInput } from '../../options/judge.js';
import type { OptionRow } from '../../options/row.js';
import { type PresentationRow, presentationCatalogue } from '../presentation-catalogue.js';

/** A row of a catalogue as commander takes it. */
export function optionOf(name: string, row: PresentationRow): Option {
  const { flags, argument, help, defaultText, repeatable } = row;
  const spelled = flags.map((flag) => (flag.length === 1 ? `-${flag}` : `--${flag}`)).join(', ');
  const option = new Option(
    argument === null ? spelled : `${spelled} <${argument}>`,
    defaultText === null ? help : `${help} (default: ${defaultText})`,
  );
  if (option.attributeName() !== name)
    throw new Error(`--${flags.at(-1)} is called ${name} in the catalogue`);
  return repeatable ? option.argParser(collect) : option;
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A value for an option that was given none. */
export function exampleOf(flag: string): string | undefined {
  const rows: readonly OptionRow[] = [
    ...Object.values(optionCatalogue),
    ...Object.values(presentationCatalogue),
  ];
  return rows.find(({ flags }) => flag === `--${flags.at(-1)}`)?.example;
}

/** What is asked of the benchmark, and what of its answer. */
export function split(
  given: Readonly<Record<string, unknown>>,
): readonly [input: OptionsInput, presentation: object] {
  const isOfAnswer = ([name]: readonly [string, unknown]) => Object.hasOwn(presentationCatalogue, name);
  const all = Object.entries(given);
  return [
    Object.fromEntries(all.filter((entry) => !isOfAnswer(entry))),
    Object.fromEntries(all.filter(isOfAnswer)),
  ];
}
