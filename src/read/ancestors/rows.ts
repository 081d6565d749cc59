import type { Sheet } from '../../report/sheet.js';
import { linesOf } from '../lines.js';
import { atLine, Misreading } from '../misreading.js';
import { type Results, refuseMany } from '../results.js';
import { bonniePlusPlusRows } from './bonnie-plus-plus-csv.js';
import { bonnieRows } from './bonnie-rows.js';
import type { RowReader } from './row.js';

/** Every kind of row that is read. Each looks at every line that is not another's. */
const kinds: readonly (() => RowReader)[] = [bonniePlusPlusRows, bonnieRows];

/** In characters; what is longer is something else. */
const LONGEST_ROW = 10_000;

/** As mail marks what it quotes: `> `, `> > `, `AB> `. */
const QUOTED = /^(?:[A-Za-z]{0,4}> ?)+/;

/** All rows of a text, whatever stands around them. */
export function readRows(text: string): Results {
  const readers = kinds.map((start) => start());
  const sheets: Sheet[] = [];
  for (const [line, number] of linesOf(text)) {
    if (line.length > LONGEST_ROW) continue;
    const sheet = atLine(number, () => sheetOf(line.replace(QUOTED, ''), readers));
    if (!sheet) continue;
    sheets.push(sheet);
    refuseMany(sheets.length);
  }
  if (sheets.length > 0) return { sheets, report: null };
  throw new Misreading(
    'it holds no results that gobonnie knows',
    "show reads gobonnie's reports, gobonniego's JSON, bonnie++'s CSV lines and Bonnie's table rows",
  );
}

function sheetOf(line: string, readers: readonly RowReader[]): Sheet | null {
  for (const read of readers) {
    const sheet = read(line);
    if (sheet) return sheet;
  }
  return null;
}
