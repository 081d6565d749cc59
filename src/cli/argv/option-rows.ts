import { optionCatalogue } from '../../options/option-catalogue.js';
import type { OptionRow } from '../../options/option-row.js';
import type { OptionsInput } from '../../options/options-schema.js';
import { cliOptionCatalogue, configCatalogue } from './cli-catalogue.js';

export type OptionRows = Readonly<Record<string, OptionRow>>;

/** The options that flags, variables and config files may set. */
export const settingRows: OptionRows = { ...optionCatalogue, ...cliOptionCatalogue };

/** All options, including those that select a config file or a profile, which a config file cannot set. */
export const optionRows: OptionRows = { ...settingRows, ...configCatalogue };

export function getOptionRow(name: string): OptionRow {
  const row = optionRows[name];
  if (!row) throw new Error(`there is no option ${name}`);
  return row;
}

/** Options by their names in the catalogues, before validation. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** Picks the options of the benchmark itself, whose schema accepts no others. */
export function pickBenchmarkOptions(raw: RawOptions): OptionsInput {
  return Object.fromEntries(Object.entries(raw).filter(([name]) => Object.hasOwn(optionCatalogue, name)));
}
