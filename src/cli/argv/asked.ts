import { optionCatalogue } from '../../options/catalogue.js';
import type { OptionsInput } from '../../options/schema.js';
import { type ConfigName, configCatalogue } from '../config/catalogue.js';
import { presentationCatalogue } from './presentation-catalogue.js';

/** Options by the names of the catalogues, not judged yet. */
export type Given = Readonly<Record<string, unknown>>;

/** What was asked for: of the benchmark, of its answer, and of where else to look. */
export interface Asked {
  readonly input: OptionsInput;
  readonly presentation: Given;
  /** What the flags say of further sources. Left out where there are none: a family's command line says it all. */
  readonly sources?: Partial<Record<ConfigName, unknown>>;
  /** The options that those may give; all of them where it is left out. */
  readonly takes?: readonly string[];
}

/** Each option where it belongs. */
export function askedFor(given: Given): Required<Omit<Asked, 'takes'>> {
  const within = (catalogue: object) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(catalogue, name)));
  return {
    input: within(optionCatalogue),
    presentation: within(presentationCatalogue),
    sources: within(configCatalogue),
  };
}
