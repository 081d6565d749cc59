import { toGobonniegoRuns } from '../../../src/read/ancestors/gobonniego-json.js';
import type { Results } from '../../../src/report/results.js';
import { DOCUMENT } from '../../support/data/gobonniego.js';
import { bonniePlusPlusRun } from '../ancestors/bonnie-plus-plus-runs.js';
import { bonnieRun } from '../ancestors/bonnie-runs.js';

/** Of programs that report rates only. */
export const foreignResults: readonly Results[] = [
  { report: null, name: 'bonnie.txt', runs: [bonnieRun(), bonnieRun()] },
  { report: null, name: 'bonnie++.csv', runs: [bonniePlusPlusRun()] },
  { report: null, name: 'gobonniego.json', runs: toGobonniegoRuns(DOCUMENT) },
];
