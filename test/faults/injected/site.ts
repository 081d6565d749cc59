import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeDirectory } from '../../support/disks/directory.js';

/** The directories of one run. Its output and strace's logs are elsewhere, so paths show which files are its own. */
export interface Site {
  /** Contains everything that the run itself creates. */
  readonly home: string;
  /** Contains its --dir. */
  readonly disk: string;
  /** Its --out. */
  readonly report: string;
  readonly stdout: string;
  readonly stderr: string;
  /** strace's log of the whole program, and of the thread whose call fails. */
  readonly log: string;
  readonly threadLog: string;
}

export function makeSite(parent?: string): Site {
  // As strace prints them.
  const home = realpathSync(makeDirectory(parent));
  const notes = realpathSync(makeDirectory(os.tmpdir()));
  const site = {
    home,
    disk: path.join(home, 'disk'),
    report: path.join(home, 'reports', 'report.json'),
    stdout: path.join(notes, 'stdout'),
    stderr: path.join(notes, 'stderr'),
    log: path.join(notes, 'log'),
    threadLog: path.join(notes, 'thread-log'),
  };
  for (const directory of [site.disk, path.dirname(site.report)]) mkdirSync(directory);
  for (const file of [site.log, site.threadLog]) writeFileSync(file, '');
  return site;
}

export function contentOf(file: string): string {
  return readFileSync(file, 'utf8');
}
