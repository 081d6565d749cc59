import { optionCatalogue } from '../../options/option-catalogue.js';
import type { OptionRow } from '../../options/option-row.js';
import type { OptionsInput } from '../../options/options-schema.js';
import { type ConfigName, cliOptionCatalogue, configCatalogue } from './cli-catalogue.js';

export type OptionRows = Readonly<Record<string, OptionRow>>;

/** What flags, variables and config files may set. */
export const settingRows: OptionRows = { ...optionCatalogue, ...cliOptionCatalogue };

/** With the options that name a config file or a profile, which a config file cannot set. */
export const optionRows: OptionRows = { ...settingRows, ...configCatalogue };

export function getOptionRow(name: string): OptionRow {
  const row = optionRows[name];
  if (!row) throw new Error(`there is no option ${name}`);
  return row;
}

/** What to type instead of a flag of another benchmark. */
export const FLAG_HINTS = {
  '-s': 'pass --size 4 for 4 GiB, or --size 500M',
  '--quick': 'pass --size 1 --iops-duration 5 for a quick run',
};

/** Flags of gobonnie before version 1.0, and their names today. */
export const RENAMED_FLAGS: Readonly<Record<string, string>> = {
  '--accept-memory': '--allow-cached',
  '--meet': '--rendezvous',
  '--member': '--rank',
  '--member-timeout': '--barrier-timeout',
  '--members': '--ranks',
  '--no-shift': '--read-own-files',
  '--seekers': '--seek-threads',
  '--sync-writes': '--fsync-per-write',
  '--volumes': '--data-files',
};

/** Options by their names in the catalogues, not validated yet. */
export type RawOptions = Readonly<Record<string, unknown>>;

/** The same, split by what validates them. */
export interface SplitOptions {
  readonly input: OptionsInput;
  readonly cliOptions: RawOptions;
  /** Left out by a command that takes its options from flags alone. */
  readonly configSelection?: Partial<Record<ConfigName, unknown>>;
  /** The options that variables and config files may set for this command; all of them if left out. */
  readonly configurable?: readonly string[];
}

export function splitOptions(raw: RawOptions): Required<Omit<SplitOptions, 'configurable'>> {
  const pickFrom = (catalogue: object) =>
    Object.fromEntries(Object.entries(raw).filter(([name]) => Object.hasOwn(catalogue, name)));
  return {
    input: pickFrom(optionCatalogue),
    cliOptions: pickFrom(cliOptionCatalogue),
    configSelection: pickFrom(configCatalogue),
  };
}
