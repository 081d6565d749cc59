import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { makeDirectory } from '../disks/directory.js';
import { ENTRY, type ExitResult, type ProgramOptions, startProcess } from './program.js';

/** Uses the kernel's filter, so only the traced calls are slower. */
const STRACE = ['-f', '-qq', '--seccomp-bpf'];

export interface TraceResult extends ExitResult {
  /** strace's lines. */
  readonly lines: readonly string[];
  /** One line per call, in the order in which the calls started. */
  readonly calls: readonly string[];
}

/** Runs the built program under strace. `filter` selects the calls to trace, delay or fail. */
export async function traceGobonnie(
  filter: readonly string[],
  args: readonly string[],
  { as = [], ...spawnOptions }: ProgramOptions = {},
): Promise<TraceResult> {
  const log = path.join(makeDirectory(os.tmpdir()), 'calls');
  const command = [...as, process.execPath, ENTRY, ...args];
  const traced = startProcess('strace', [...STRACE, '-o', log, ...filter, ...command], spawnOptions);
  const exitResult = await traced.exitResult;
  if (!existsSync(log)) throw new Error(`strace traced nothing: ${JSON.stringify(exitResult)}`);
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
  return { ...exitResult, lines, calls: joinCallLines(lines) };
}

const UNFINISHED = /^((\d+) .*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/;

/** Joins the two lines that strace prints for a call that another thread's call interrupts. */
export function joinCallLines(lines: readonly string[]): readonly string[] {
  const calls: string[] = [];
  const unfinished = new Map<string, number>();
  for (const line of lines) {
    const [, resumedThread = '', rest = ''] = RESUMED.exec(line) ?? [];
    const index = unfinished.get(resumedThread);
    if (index !== undefined) {
      calls[index] += rest;
      unfinished.delete(resumedThread);
      continue;
    }
    const [, start = line, thread] = UNFINISHED.exec(line) ?? [];
    if (thread !== undefined) unfinished.set(thread, calls.length);
    calls.push(start);
  }
  return calls;
}
