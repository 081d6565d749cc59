import { toGobonniegoRuns } from '../../../src/read/compat/gobonniego.js';
import type { Results } from '../../../src/report/results.js';
import { DOCUMENT } from '../../support/data/gobonniego.js';
import { bonniePlusPlusRun } from '../compat/bonnie-plus-plus-runs.js';
import { bonnieRun } from '../compat/bonnie-runs.js';

/** Results of programs that report only rates. */
export const foreignResults: readonly Results[] = [
  { report: null, name: 'bonnie.txt', runs: [bonnieRun(), bonnieRun()] },
  { report: null, name: 'bonnie++.csv', runs: [bonniePlusPlusRun()] },
  { report: null, name: 'gobonniego.json', runs: toGobonniegoRuns(DOCUMENT) },
];
