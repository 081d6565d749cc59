import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeDirectory } from '../../support/disks/directory.js';

/** Where one run takes place, and where what is said of it is put: apart, so that its own files are known by their path. */
export interface Site {
  /** Above everything that the run itself makes. */
  readonly home: string;
  /** Where its --dir is. */
  readonly disk: string;
  /** Its --out. */
  readonly report: string;
  readonly stdout: string;
  readonly stderr: string;
  /** strace's logs of the whole program, and of the one thread whose call fails. */
  readonly log: string;
  readonly threadLog: string;
}

export function makeSite(parent?: string): Site {
  // As strace spells them.
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
