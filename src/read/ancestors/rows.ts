import type { Results, RunResult } from '../../report/results.js';
import { atLine, linesOf, Misreading, refuseMany } from '../guard.js';
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
  const runs: RunResult[] = [];
  for (const [line, number] of linesOf(text)) {
    if (line.length > LONGEST_ROW) continue;
    const run = atLine(number, () => runOf(line.replace(QUOTED, ''), readers));
    if (!run) continue;
    runs.push(run);
    refuseMany(runs.length);
  }
  if (runs.length > 0) return { runs, report: null };
  throw new Misreading(
    'it holds no results that gobonnie knows',
    "show reads gobonnie's reports, gobonniego's JSON, bonnie++'s CSV lines and Bonnie's table rows",
  );
}

function runOf(line: string, readers: readonly RowReader[]): RunResult | null {
  for (const read of readers) {
    const run = read(line);
    if (run) return run;
  }
  return null;
}
