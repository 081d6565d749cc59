import type { Warning } from '../report/schema/report.js';
import { shown } from '../text/escape.js';
import type { Scratch } from './scratch.js';

/** What the place of the files means for the run. */
export function placeWarnings(scratch: Scratch): readonly Warning[] {
  const held: Warning = {
    code: 'held',
    phase: null,
    message: `others may rename ${shown(scratch.path)}, so that it is held open and every name looked up through /proc`,
    hint: 'create, stat and delete take some microseconds longer than in a directory of your own',
  };
  return scratch.isHeld && scratch.trees.length > 0 ? [held] : [];
}

/** What it means that nothing watches over the run. */
export function unwatchedWarning(loss: string): Warning {
  return {
    code: 'unwatched',
    phase: null,
    message: loss,
    hint: 'should this one be killed, the next run removes what it leaves, and so does gobonnie clean',
  };
}
