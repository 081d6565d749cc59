import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { stableLines } from '../cli/compat/run-bonnie-plus-plus.js';
import { makeDirectory } from '../support/disks/directory.js';
import { ENTRY, startProcess } from '../support/programs/program.js';

/** System calls of a phase. `from` counts a thread's calls until it is in its loop. */
export interface InterruptPoint {
  readonly calls: string;
  readonly from: number;
}

/** The expected exit code and last line. */
interface ExpectedExit {
  readonly exitCode: number;
  readonly signal?: NodeJS.Signals;
  readonly stopped?: string;
}

/** Output of the program. `messages` lacks the last line, and warnings, which depend on the machine. */
interface InterruptedOutput {
  readonly stdout: string;
  readonly messages: readonly string[];
}

/** Delay of each of hundreds of calls, so the phase still runs when the signal arrives. */
const DELAY_US = 40_000;
/** strace stops a thread at every call until its first traced call. Each thread makes this call before its loop. */
const EARLY_CALL = 'openat';
/** strace's line of a delayed call on a measured file. */
const UNDER_WAY = /\/gobonnie-\w{6}\/(?:bonnie\.|tree\.)[^\n]*\(DELAYED\)$/m;

/** Sends the real program a signal during a phase, and expects that it cleans up and exits with `exitCode`. */
export async function interruptPhase(
  { calls, from }: InterruptPoint,
  argsFor: (dir: string) => readonly string[],
  { exitCode, signal = 'SIGINT', stopped = stoppedLine(signal) }: ExpectedExit,
): Promise<InterruptedOutput> {
  const dir = makeDirectory();
  const log = path.join(makeDirectory(os.tmpdir()), 'calls');
  const delay = `inject=${calls}:delay_enter=${DELAY_US}:when=${from}+`;
  // With -D the program is a direct child of this process, so the signal reaches the program and not strace.
  const trace = `trace=${EARLY_CALL},${calls}`;
  const filter = ['-D', '-f', '-qq', '-y', '--seccomp-bpf', '-e', trace, '-e', delay];
  const { child, exitResult } = startProcess('strace', [
    ...filter,
    '-o',
    log,
    process.execPath,
    ENTRY,
    ...argsFor(dir),
  ]);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitResult;
  });
  await Promise.race([
    vi.waitUntil(() => UNDER_WAY.test(readLog(log)), { timeout: 100_000, interval: 5 }),
    exitResult.then(({ stderr }) => expect.fail(`it ended before the signal: ${stderr}`)),
  ]);
  expect(readdirSync(dir)).toEqual([expect.stringMatching(/^gobonnie-\w{6}$/)]);
  child.kill(signal);
  const { stdout, stderr, ...end } = await exitResult;
  expect({ ...end, left: readdirSync(dir) }).toEqual({ exitCode, signal: null, left: [] });
  expect(stderr.endsWith(`${stopped}\n`)).toBe(true);
  const lines = stableLines(stderr);
  expect(lines.at(-1)).toBe(stopped);
  return { stdout, messages: lines.slice(0, -1) };
}

function stoppedLine(signal: NodeJS.Signals): string {
  return `gobonnie: stopped by ${signal} after 0 complete runs; the temporary files are removed`;
}

/** Returns an empty text until strace has created the file. */
function readLog(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
