import { fileURLToPath } from 'node:url';
import { GIB } from '../../src/text/units.js';
import { HYDRA } from '../../test/support/launchers/hydra.js';
import { type Command, runChild } from '../harness/child.js';
import type { BenchmarkedProgram, BlockWork } from './benchmarked-program.js';
import { parseGobonniegoJson } from './gobonniego-json.js';
import { queryInstalledVersion } from './installed-version.js';

export const GOBONNIE_PATH = 'bin/gobonnie.cjs';
export const GOBONNIE_FILE = fileURLToPath(new URL(`../../${GOBONNIE_PATH}`, import.meta.url));

/** Runs the built program on the bench's own node. */
export function gobonnieCommand(...args: string[]): Command {
  return [process.execPath, GOBONNIE_FILE, ...args];
}

export function workCommand(work: BlockWork, directory: string): Command {
  return work.asProcesses ? jobCommand(work, directory) : processCommand(work, directory);
}

/** Keeps the page cache, because fio does not drop it either. */
function jobCommand({ threads, sizeBytes, ...work }: BlockWork, directory: string): Command {
  const rankCommand = processCommand({ ...work, threads: 1, sizeBytes: sizeBytes / threads }, directory);
  return [HYDRA, '-n', `${threads}`, ...rankCommand, '--cache', 'keep'];
}

/** Uses gobonniego's timing, because neither gobonniego nor fio syncs before the clock stops. */
function processCommand(work: BlockWork, directory: string): Command {
  // biome-ignore format: flags with their values
  const flags = [
    '--dir', directory, '--size', `${work.sizeBytes / GIB}`, '--threads', `${work.threads}`,
    '--block-size', `${work.blockSizeBytes}`, '--io-size', `${work.ioSizeBytes}`,
    '--runs', '1', '--iops-duration', `${work.iopsDurationSeconds}`, '--json',
  ];
  if (work.direct) flags.push('--direct');
  return gobonnieCommand('gobonniego', ...flags);
}

export const gobonnieProgram: BenchmarkedProgram = {
  name: 'gobonnie',
  version: (signal) => queryInstalledVersion(gobonnieCommand('--version'), signal),
  supports: () => true,
  async measure(work, directory, signal) {
    const { stdout } = await runChild(workCommand(work, directory), signal);
    return parseGobonniegoJson(stdout);
  },
};
