import { existsSync, readFileSync, type StatsFs, statfsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Report } from '../../../src/report/schema/report.js';
import type { Ended } from '../../support/programs/program.js';
import { leftIn, theirsIn } from './contents.js';
import type { Row } from './row.js';
import { holderAt, standingStill } from './standstill.js';
import { openWorkshop, type Workshop } from './workshop.js';

/** What a row brought about. */
export interface Seen extends Ended {
  readonly shop: Workshop;
  /** Lines of stderr that begin with `gobonnie: `. */
  readonly complaints: readonly string[];
  /** The paths it left. */
  readonly left: readonly string[];
  /** Files in `$DIR` that are not gobonnie's, before the run and after it. */
  readonly theirs: { readonly before: object; readonly after: object };
  /** Whether anything was ever created in `$DIR`. */
  readonly touched: boolean;
  /** The filesystem at the moment of the fault. */
  readonly fullest: StatsFs | null;
  /** What `--out $WORK/report.json` holds. */
  readonly report: Report | null;
}

/** Prepares the fault, runs the command, and collects what happened. */
export async function tryOut(row: Row): Promise<Seen> {
  const shop = openWorkshop();
  const { dir, work, sh } = shop;
  if (row.given) sh(row.given);
  const mine = path.join(dir, 'mine');
  // Flushed, because the device may disappear.
  if (row.promises.includes(2) && !existsSync(mine)) writeFileSync(mine, 'mine', { flush: true });
  const before = row.promises.includes(2) ? theirsIn(dir) : {};
  const changedMs = existsSync(dir) ? statSync(dir).mtimeMs : null;
  const { ended, fullest } = await run(row, shop);
  if (row.revival) sh(row.revival);
  const out = path.join(work, 'report.json');
  return {
    ...ended,
    shop,
    complaints: ended.stderr.split('\n').filter((line) => line.startsWith('gobonnie: ')),
    left: leftIn(dir),
    theirs: { before, after: theirsIn(dir) },
    touched: statSync(dir).mtimeMs !== changedMs,
    fullest,
    report: existsSync(out) ? JSON.parse(readFileSync(out, 'utf8')) : null,
  };
}

async function run({ command, strike }: Row, shop: Workshop) {
  if (!strike) return { ended: await shop.start(['sh', '-c', command]).ended, fullest: null };
  const log = path.join(shop.work, 'calls');
  const program = shop.start([...holderAt(strike.at, log), 'sh', '-c', `exec ${command}`]);
  await standingStill(program, log);
  const fullest = statfsSync(shop.dir);
  shop.sh(strike.by);
  program.child.kill('SIGCONT');
  return { ended: await program.ended, fullest };
}
