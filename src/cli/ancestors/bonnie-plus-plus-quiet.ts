import { bonniePlusPlusText } from '../../format/ancestors/bonnie-plus-plus.js';
import { completeRuns } from '../../report/results.js';
import { resultsOfReport } from '../../report/results-of-report.js';
import type { Narrate } from '../output/narration.js';

/** With -q stdout holds the CSV alone, and the tables are what is said on stderr. */
export const narrate: Narrate = (event) => {
  if (event.type !== 'end') return [];
  return bonniePlusPlusText(completeRuns([resultsOfReport(event.report)]))
    .split('\n')
    .slice(0, -1);
};
