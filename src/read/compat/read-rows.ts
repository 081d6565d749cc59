import type { Results, RunResult } from '../../report/results.js';
import { numberLines, ReadError, withLineNumber } from '../guard.js';
import { readBonniePlusPlusRow } from './bonnie-plus-plus-csv.js';
import { createBonnieRowReader } from './bonnie-rows.js';

/** E-mail quote marks: `> `, `> > `, `AB> `. */
const QUOTE_MARKS = /^(?:[A-Za-z]{0,4}> ?)+/;

/** Returns all rows in a text and ignores other lines. */
export function readRows(text: string): Results {
  const bonnieRow = createBonnieRowReader();
  const runs: RunResult[] = [];
  for (const [line, number] of numberLines(text)) {
    const bare = line.replace(QUOTE_MARKS, '');
    const run = withLineNumber(number, () => readBonniePlusPlusRow(bare) ?? bonnieRow(bare));
    if (run) runs.push(run);
  }
  if (runs.length > 0) return { runs, report: null };
  throw new ReadError(
    'it holds no results that gobonnie recognizes',
    'use a gobonnie report, gobonniego JSON, bonnie++ CSV or a Bonnie table',
  );
}
