import { bonniePlusPlusText } from '../../format/ancestors/bonnie-plus-plus.js';
import { sheetsOf } from '../../report/sheets.js';
import type { Narrate } from '../output/narration.js';

/** With -q stdout holds the CSV alone, and the tables are what is said on stderr. */
export const narrate: Narrate = (event) => {
  if (event.type !== 'end') return [];
  return bonniePlusPlusText(sheetsOf(event.report)).split('\n').slice(0, -1);
};
