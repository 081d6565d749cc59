import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeDirectory } from '../../support/disks/directory.js';

/** Files of one run. Its output and strace's logs are outside `home`, so a path shows whether the run created it. */
export interface RunFiles {
  /** Contains everything that the run itself creates. */
  readonly home: string;
  /** Contains the run's --dir. */
  readonly disk: string;
  /** The run's --out. */
  readonly report: string;
  readonly stdout: string;
  readonly stderr: string;
  /** strace's logs of the whole program, and of the thread whose call fails. */
  readonly log: string;
  readonly threadLog: string;
}

export function createRunFiles(parent?: string): RunFiles {
  // strace prints real paths.
  const home = realpathSync(makeDirectory(parent));
  const logs = realpathSync(makeDirectory(os.tmpdir()));
  const files = {
    home,
    disk: path.join(home, 'disk'),
    report: path.join(home, 'reports', 'report.json'),
    stdout: path.join(logs, 'stdout'),
    stderr: path.join(logs, 'stderr'),
    log: path.join(logs, 'log'),
    threadLog: path.join(logs, 'thread-log'),
  };
  for (const directory of [files.disk, path.dirname(files.report)]) mkdirSync(directory);
  for (const file of [files.log, files.threadLog]) writeFileSync(file, '');
  return files;
}

export function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
