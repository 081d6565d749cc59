import type { Results, RunResult } from '../../report/results.js';
import { atLine, linesOf, Misreading, refuseMany } from '../guard.js';
import { bonniePlusPlusRow } from './bonnie-plus-plus-csv.js';
import { bonnieRows } from './bonnie-rows.js';

/** In characters; a longer line is something else. */
const LONGEST_ROW = 10_000;

/** Quote marks of e-mail: `> `, `> > `, `AB> `. */
const QUOTED = /^(?:[A-Za-z]{0,4}> ?)+/;

/** All rows in a text, whatever else it contains. */
export function readRows(text: string): Results {
  const bonnieRow = bonnieRows();
  const runs: RunResult[] = [];
  for (const [line, number] of linesOf(text)) {
    if (line.length > LONGEST_ROW) continue;
    const bare = line.replace(QUOTED, '');
    const run = atLine(number, () => bonniePlusPlusRow(bare) ?? bonnieRow(bare));
    if (!run) continue;
    runs.push(run);
    refuseMany(runs.length);
  }
  if (runs.length > 0) return { runs, report: null };
  throw new Misreading(
    'it holds no results that gobonnie recognizes',
    'give a gobonnie report, gobonniego JSON, bonnie++ CSV or a Bonnie table',
  );
}
