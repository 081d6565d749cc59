import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeDirectory } from '../disks/directory.js';
import { ENTRY, type Ended, type ProgramOptions, start } from './program.js';

/** With the kernel's filter, so that only the traced calls are slower. */
const STRACE = ['-f', '-qq', '--seccomp-bpf'];

export interface Traced extends Ended {
  /** strace's lines. */
  readonly lines: readonly string[];
  /** A line for each call, in the order in which they began. */
  readonly calls: readonly string[];
}

/** Runs the built program under strace. `filter` chooses the calls that are traced, delayed or made to fail. */
export async function traceGobonnie(
  filter: readonly string[],
  args: readonly string[],
  { as = [], ...place }: ProgramOptions = {},
): Promise<Traced> {
  const log = path.join(makeDirectory(os.tmpdir()), 'calls');
  const command = [...as, process.execPath, ENTRY, ...args];
  const ended = await start('strace', [...STRACE, '-o', log, ...filter, ...command], place).ended;
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  return { ...ended, lines, calls: callsIn(lines) };
}

const BEGUN = /^((\d+) .*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/;

/** Joins the two lines that strace prints for a call if another thread's call came in between. */
export function callsIn(lines: readonly string[]): readonly string[] {
  const calls: string[] = [];
  const begun = new Map<string, number>();
  for (const line of lines) {
    const [, resumedThread = '', rest = ''] = RESUMED.exec(line) ?? [];
    const index = begun.get(resumedThread);
    if (index !== undefined) {
      calls[index] += rest;
      begun.delete(resumedThread);
      continue;
    }
    const [, start = line, thread] = BEGUN.exec(line) ?? [];
    if (thread !== undefined) begun.set(thread, calls.length);
    calls.push(start);
  }
  return calls;
}
