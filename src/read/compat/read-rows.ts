import type { Results } from '../../report/results.js';
import { ReadError, readLines } from '../guard.js';
import { readBonniePlusPlusRow } from './bonnie-plus-plus-csv.js';
import { createBonnieRowReader } from './bonnie-rows.js';

/** In characters. A longer line is not a row. */
const MAX_ROW_LENGTH = 10_000;

/** E-mail quote marks: `> `, `> > `, `AB> `. */
const QUOTE_MARKS = /^(?:[A-Za-z]{0,4}> ?)+/;

/** Returns all rows in a text and ignores other lines. */
export function readRows(text: string): Results {
  const bonnieRow = createBonnieRowReader();
  const runs = readLines(text, (line) => {
    if (line.length > MAX_ROW_LENGTH) return null;
    const bare = line.replace(QUOTE_MARKS, '');
    return readBonniePlusPlusRow(bare) ?? bonnieRow(bare);
  });
  if (runs.length > 0) return { runs, report: null };
  throw new ReadError(
    'it holds no results that gobonnie recognizes',
    'use a gobonnie report, gobonniego JSON, bonnie++ CSV or a Bonnie table',
  );
}
