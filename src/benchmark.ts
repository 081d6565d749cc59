import os from 'node:os';
import path from 'node:path';
import { inspect } from './machine.js';
import { judge, type OptionsInput } from './options/judge.js';
import { plan } from './plan.js';
import type { Report } from './report/report.js';
import { clearLeftovers } from './run/leftover.js';
import { execute, type RunHooks } from './run/run.js';
import { Watcher } from './run/watcher.js';

/**
 * Measures a disk and resolves to the report. Prints nothing and installs no handlers.
 *
 * Rejects with a `GobonnieError` of kind `usage` when an option is wrong, before anything is written. Whatever happens
 * afterwards, an abort or a failing disk, resolves: `report.outcome` says what happened and `report.runs` keeps what
 * was complete.
 *
 * @example
 * const report = await run({ dir: '/mnt/disk', size: 1, iopsDuration: 5 });
 * console.log(report.runs[0]?.measurements);
 */
export async function run(options: OptionsInput = {}, hooks: RunHooks = {}): Promise<Report> {
  const judged = judge(options);
  // A run that was killed may have left its files, and here they are in the way.
  await clearLeftovers(path.resolve(judged.dir ?? os.tmpdir())).catch(() => []);
  const decided = plan(judged, await inspect(judged.dir));
  return Watcher.during((watcher) => execute(decided, hooks, watcher));
}
