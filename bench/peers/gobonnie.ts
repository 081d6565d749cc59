import { fileURLToPath } from 'node:url';
import { GIB } from '../../src/text/units.js';
import { HYDRA } from '../../test/support/launchers/hydra.js';
import { type Command, runChild } from '../measuring/child.js';
import { figuresOf } from './gobonniego-document.js';
import { installedVersion } from './installed.js';
import type { Peer, Work } from './peer.js';

export const PROGRAM = fileURLToPath(new URL('../../bin/gobonnie.cjs', import.meta.url));

/** The built program, on the node that runs the bench. */
export function gobonnieCommand(...args: string[]): Command {
  return [process.execPath, PROGRAM, ...args];
}

export function workCommand(work: Work, directory: string): Command {
  return work.asProcesses ? jobCommand(work, directory) : oneCommand(work, directory);
}

/** The page cache stays, which fio does not empty either. */
function jobCommand({ threads, sizeBytes, ...work }: Work, directory: string): Command {
  const ofEach = oneCommand({ ...work, threads: 1, sizeBytes: sizeBytes / threads }, directory);
  return [HYDRA, '-n', `${threads}`, ...ofEach, '--cache', 'keep'];
}

function oneCommand(work: Work, directory: string): Command {
  return gobonnieCommand(
    ...['--dir', directory, '--size', `${work.sizeBytes / GIB}`, '--threads', `${work.threads}`],
    ...['--block-size', `${work.blockSizeBytes}`, '--io-size', `${work.ioSizeBytes}`],
    ...['--runs', '1', '--iops-duration', `${work.iopsDurationSeconds}`, '--json'],
    ...(work.direct ? ['--direct'] : []),
  );
}

export const gobonnie: Peer = {
  name: 'gobonnie',
  version: (signal) => installedVersion(gobonnieCommand('--version'), signal),
  can: () => true,
  async measure(work, directory, signal) {
    const { stdout } = await runChild(workCommand(work, directory), signal);
    return figuresOf(stdout);
  },
};
