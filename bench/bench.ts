import type { Lab } from './lab.js';
import type { Row, Subject } from './row.js';

/** One thing that is compared: what its rows are about, known before it runs, and how they are measured. */
export interface Bench {
  readonly subjects: readonly Subject[];
  run(lab: Lab): Promise<readonly Row[]>;
}
