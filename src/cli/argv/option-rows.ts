import { optionCatalogue } from '../../options/catalogue.js';
import { configCatalogue } from '../config/catalogue.js';
import { type PresentationRow, presentationCatalogue } from './presentation-catalogue.js';

export type OptionRows = Readonly<Record<string, PresentationRow>>;

/** What a benchmark and its answer are asked for, whatever the source. */
export const settingRows: OptionRows = { ...optionCatalogue, ...presentationCatalogue };

/** With what tells of further sources, which a file cannot. */
export const optionRows: OptionRows = { ...settingRows, ...configCatalogue };

export function rowNamed(name: string): PresentationRow {
  const row = optionRows[name];
  if (!row) throw new Error(`there is no option ${name}`);
  return row;
}
