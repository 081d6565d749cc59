import { shown, systemReason } from '../errors.js';
import type { Warning } from '../report/report.js';
import type { Scratch } from './scratch.js';
import type { Watcher } from './watcher.js';

/** What the place of the files, and what watches over them, mean for the run. */
export function placeWarnings(scratch: Scratch, { failure }: Watcher): readonly Warning[] {
  const unwatched: Warning = {
    code: 'unwatched',
    phase: null,
    message: `no process could be started to watch over this one (${systemReason(failure ?? new Error())})`,
    hint: 'should this one be killed, the next run removes what it leaves, and so does gobonnie clean',
  };
  const held: Warning = {
    code: 'held',
    phase: null,
    message: `others may rename ${shown(scratch.path)}, so that it is held open and every name looked up through /proc`,
    hint: 'create, stat and delete take some microseconds longer than in a directory of your own',
  };
  return [...(failure ? [unwatched] : []), ...(scratch.isHeld && scratch.trees.length > 0 ? [held] : [])];
}
