import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { makeDirectory } from '../../support/disks/directory.js';
import { ENTRY, start } from '../../support/programs/program.js';
import { toldIn } from '../ancestors/family.js';

/** The calls that a phase is made of, and from which of a thread's own on it is under way. */
export interface Moment {
  readonly calls: string;
  readonly from: number;
}

/** How it has to end: with this exit code, and this last line. */
export interface InGoodOrder {
  readonly exitCode: number;
  readonly signal?: NodeJS.Signals;
  readonly stopped?: string;
}

/** What it said before it told that it was stopped; the warnings depend on the machine. */
export interface BrokenOff {
  readonly stdout: string;
  readonly told: readonly string[];
}

/** Each of the phase's hundreds of calls takes so long, so that it is still under way when the signal comes. */
const DELAY_US = 40_000;
/** Until a thread makes a call that is traced, strace stops it at every call. This one each makes before its loop. */
const EARLY_CALL = 'openat';
/** strace's line of a delayed call on what is measured, which the program's other calls are not on. */
const UNDER_WAY = /\/gobonnie-\w{6}\/(?:bonnie\.|tree\.)[^\n]*\(DELAYED\)$/m;

/** The real program, sent a signal in the midst of a phase: it has to end in good order. */
export async function breakOff(
  { calls, from }: Moment,
  argsFor: (dir: string) => readonly string[],
  { exitCode, signal = 'SIGINT', stopped = stoppedBy(signal) }: InGoodOrder,
): Promise<BrokenOff> {
  const dir = makeDirectory();
  const log = path.join(makeDirectory(os.tmpdir()), 'calls');
  const delay = `inject=${calls}:delay_enter=${DELAY_US}:when=${from}+`;
  // -D: the program is this process's own child, and strace a stranger whom the signal does not reach.
  const filter = [
    '-D',
    '-f',
    '-qq',
    '-y',
    '--seccomp-bpf',
    '-e',
    `trace=${EARLY_CALL},${calls}`,
    '-e',
    delay,
  ];
  const { child, ended } = start('strace', [...filter, '-o', log, process.execPath, ENTRY, ...argsFor(dir)]);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  await Promise.race([
    vi.waitUntil(() => UNDER_WAY.test(textOf(log)), { timeout: 100_000, interval: 5 }),
    ended.then(({ stderr }) => expect.fail(`it ended before: ${stderr}`)),
  ]);
  expect(readdirSync(dir)).toEqual([expect.stringMatching(/^gobonnie-\w{6}$/)]);
  child.kill(signal);
  const { stdout, stderr, ...end } = await ended;
  expect({ ...end, left: readdirSync(dir) }).toEqual({ exitCode, signal: null, left: [] });
  expect(stderr.endsWith(`${stopped}\n`)).toBe(true);
  const told = toldIn(stderr);
  expect(told.at(-1)).toBe(stopped);
  return { stdout, told: told.slice(0, -1) };
}

function stoppedBy(signal: NodeJS.Signals): string {
  return `gobonnie: stopped by ${signal} after 0 complete runs; the temporary files are removed`;
}

/** Empty until strace has made it. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
