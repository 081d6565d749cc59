import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeDirectory } from './directory.js';
import { ENTRY, type Ended, type ProgramOptions, start } from './program.js';

/** With the kernel's filter, so that only the calls that are asked for cost anything. */
const STRACE = ['-f', '-qq', '--seccomp-bpf'];

export interface Traced extends Ended {
  /** strace's lines, in the order in which the calls were seen. */
  readonly calls: readonly string[];
}

/** The real program under strace: `filter` says which calls are seen, delayed or made to fail. */
export async function traceGobonnie(
  filter: readonly string[],
  args: readonly string[],
  { as = [], ...place }: ProgramOptions = {},
): Promise<Traced> {
  const log = path.join(makeDirectory(os.tmpdir()), 'calls');
  const command = [...as, process.execPath, ENTRY, ...args];
  const ended = await start('strace', [...STRACE, '-o', log, ...filter, ...command], place).ended;
  return { ...ended, calls: readFileSync(log, 'utf8').trimEnd().split('\n') };
}
