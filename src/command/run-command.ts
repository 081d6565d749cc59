import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import type { CommandRun } from '../compare/comparison-schema.js';
import { GobonnieError, optionError } from '../errors.js';
import type { Target } from '../machine/machine-schema.js';
import { elapsedSeconds } from '../report/measure/elapsed.js';
import { syncEverything } from '../run/cache/cache-method.js';
import type { PageCache } from '../run/cache/page-cache.js';
import { diffCounters, readCounters } from '../run/kernel/counters.js';
import { endProcesses, MEMBERS_FILE, PRESSURE_FILE, SCRATCH_VARIABLE } from '../scratch/processes.js';
import type { Scratch } from '../scratch/scratch.js';
import { display } from '../text/escape.js';
import { MICROSECONDS_PER_SECOND } from '../text/units.js';
import { fillWorkDirectory, type SourceTree } from './work-directory.js';

/**
 * Joins the control group $1, runs the command in the other arguments, and prints the CPU time of all its processes that
 * have ended. `times` is the only way to learn that time on every POSIX system.
 */
const SCRIPT = '[ -z "$1" ] || echo $$ > "$1"; shift; "$@" 3>&-; code=$?; times >&3; exit $code';
/** The second line of `times`: user and system time of the children, such as `0m1.250s 0m0.310s`. */
const CHILD_TIMES = /\n(\d+)m([\d.,]+)s (\d+)m([\d.,]+)s/;
const SECONDS_PER_MINUTE = 60;
/** How long a command may take to end after a signal. */
const GRACE_MS = 2000;

/** How to run the commands, the same on all sides. */
interface CommandSetup {
  /** A line for the shell that runs before each run and does not count. */
  readonly prepare: string | null;
  /** The files that the command gets copies of. Null if it starts in an empty directory. */
  readonly tree: SourceTree | null;
  readonly cache: PageCache;
  /** The directory of its control group. Null without one. */
  readonly group: string | null;
  /** The devices of all sides, because a command may also use files elsewhere. */
  readonly diskNames: readonly string[];
  readonly signal: AbortSignal;
  /** True if the command succeeded there before. */
  readonly isRepeated: boolean;
  /** Receives what the command prints. */
  readonly print: (text: string) => void;
  /** Called before each part of a run that may take long. */
  readonly onActivity: (activity: CommandActivity) => void;
}

export type CommandActivity = 'copying files' | 'preparing' | 'dropping the page cache' | 'running';

/** Prepares a side and runs its command there. Returns null after an abort. */
export async function runInCopy(
  words: readonly string[],
  scratch: Scratch,
  target: Target,
  setup: CommandSetup,
): Promise<CommandRun | null> {
  const { prepare, tree, cache, group, diskNames, signal, onActivity } = setup;
  onActivity('copying files');
  await fillWorkDirectory(scratch, tree, signal);
  onActivity('preparing');
  if (
    prepare !== null &&
    !(await runCommand(shellCommand(prepare), scratch, { ...setup, isRepeated: false }))
  )
    return null;
  onActivity('dropping the page cache');
  // Memory has no other copy of its files.
  const listCached = async () => (target.isMemory ? [] : listFiles(scratch.commandDirectory));
  await cache.empty(syncEverything, listCached, signal);
  onActivity('running');
  try {
    const before = await readCommandCounters(group, diskNames);
    const result = await runCommand(words, scratch, setup);
    const after = await readCommandCounters(group, diskNames);
    if (!result) return null;
    const counted = diffCommandCounters(before, after, target.isMemory);
    // The control group counts in microseconds, the shell in ticks.
    const cpu = counted.cpuSeconds === null ? result.cpu : null;
    return { ...counted, ...cpu, seconds: result.seconds };
  } finally {
    // A process in the background would disturb the other side's run.
    await endProcesses(scratch.directory.path, group);
  }
}

async function listFiles(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** Runs a command to its end. Returns null after an abort. Throws if the command fails. */
async function runCommand(
  words: readonly string[],
  scratch: Scratch,
  { group, signal, print, isRepeated, prepare }: CommandSetup,
) {
  if (signal.aborted) return null;
  const startNs = process.hrtime.bigint();
  const child = startCommand(words, scratch, group);
  const ended = once(child, 'exit') as Promise<[code: number | null, killedBy: NodeJS.Signals | null]>;
  let hint = 'it printed nothing';
  const undoes = prepare === null ? 'can undo' : 'does not undo all of';
  const onData = (chunk: string) => {
    hint = 'its last lines are above; -v prints all of them';
    print(chunk);
  };
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', onData);
  const cpu = readTimes(child.stdio[3] as Readable | null);
  const stop = () => void endCommand(child, ended);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const [code, killedBy] = await ended;
    const elapsedNs = process.hrtime.bigint() - startNs;
    if (signal.aborted) return null;
    if (code !== 0)
      throw new GobonnieError(
        'command-failed',
        `${display(words.join(' '))} ended with ${code === null ? killedBy : `exit code ${code}`}`,
        isRepeated ? `${hint}; an earlier run succeeded: --prepare ${undoes} what it left` : hint,
      );
    return { seconds: elapsedSeconds(words.join(' '), elapsedNs, 0), cpu: await cpu };
  } finally {
    signal.removeEventListener('abort', stop);
    // A process in the background may still hold the other ends.
    for (const stream of child.stdio) stream?.destroy();
  }
}

/** Throws before the first copy. A path may lead into the copy, and on Windows the shell knows more names. */
export function rejectMissingProgram([program = '']: readonly string[]): void {
  if (process.platform === 'win32' || program.includes('/')) return;
  const { status } = spawnSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', program]);
  if (status !== 0)
    throw optionError(`there is no program ${display(program)}`, 'install it, or pass another command');
}

/** Returns the words of a command that runs a line in the shell. On Windows, every command runs there. */
function shellCommand(line: string): readonly string[] {
  return process.platform === 'win32' ? [line] : ['/bin/sh', '-c', line];
}

function startCommand(
  words: readonly string[],
  { commandDirectory, directory }: Scratch,
  group: string | null,
): ChildProcess {
  const env = { ...process.env, [SCRATCH_VARIABLE]: directory.path };
  // A detached process has a process group of its own, so Ctrl-C reaches only gobonnie.
  const options = { cwd: commandDirectory, env, detached: true, windowsHide: true };
  if (process.platform === 'win32')
    return spawn(words.length === 1 ? `${words[0]}` : words.map((word) => JSON.stringify(word)).join(' '), {
      ...options,
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  return spawn('/bin/sh', ['-c', SCRIPT, 'sh', group ? path.join(group, MEMBERS_FILE) : '', ...words], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
}

/** Returns the CPU times that the script prints. Null without a script. */
async function readTimes(stream: Readable | null) {
  if (!stream) return null;
  const fields = CHILD_TIMES.exec(await text(stream))
    ?.slice(1)
    .map((field) => Number(field.replace(',', '.')));
  if (!fields) return null;
  const [userMinutes = 0, userSeconds = 0, systemMinutes = 0, systemSeconds = 0] = fields;
  const system = systemMinutes * SECONDS_PER_MINUTE + systemSeconds;
  const total = userMinutes * SECONDS_PER_MINUTE + userSeconds + system;
  // 0 is less than a tick of 10 ms, not 0.
  return { cpuSeconds: total || null, systemCpuSeconds: system || null };
}

/** Lets a command clean up after itself. What remains after that is ended with the scratch directory. */
async function endCommand({ pid }: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (pid === undefined) return;
  signalGroup(pid, 'SIGTERM');
  await Promise.race([ended, setTimeout(GRACE_MS, undefined, { ref: false })]);
  signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name);
  } catch {
    // All of its processes have ended.
  }
}

/** The time in which any process of the system waits for I/O. */
const SYSTEM_PRESSURE = '/proc/pressure/io';

/** The kernel's counters, and the counters of a command. Null if this system lacks one. */
type CommandCounters = Readonly<Awaited<ReturnType<typeof readCommandCounters>>>;

async function readCommandCounters(group: string | null, diskNames: readonly string[]) {
  const count = async (file: string, pattern: RegExp) => {
    const [, digits] = pattern.exec(await readFile(file, 'utf8').catch(() => '')) ?? [];
    return digits === undefined ? null : Number(digits);
  };
  const countCpu = async (pattern: RegExp) =>
    group === null ? null : count(path.join(group, 'cpu.stat'), pattern);
  const pressureFile = group === null ? SYSTEM_PRESSURE : path.join(group, PRESSURE_FILE);
  return {
    ...readCounters(diskNames),
    // The line of the time in which at least one process waited: `some avg10=0.00 … total=9960108242`.
    ioWaitUs: await count(pressureFile, /^some .*total=(\d+)$/m),
    cpuUs: await countCpu(/^usage_usec (\d+)$/m),
    systemCpuUs: await countCpu(/^system_usec (\d+)$/m),
    /** The bytes that this process and its ended children read, from a disk or from the cache. */
    requestedBytes: await count('/proc/self/io', /^rchar: (\d+)$/m),
  };
}

/** `isMemory`: for a side without a disk. */
function diffCommandCounters(
  before: CommandCounters,
  after: CommandCounters,
  isMemory: boolean,
): Omit<CommandRun, 'seconds'> {
  const { io, disk } = diffCounters(before, after);
  const growth = (name: 'ioWaitUs' | 'cpuUs' | 'systemCpuUs' | 'requestedBytes', unit: number) => {
    const first = before[name];
    const last = after[name];
    return last === null || first === null ? null : (last - first) / unit;
  };
  const requestedBytes = growth('requestedBytes', 1);
  return {
    cpuSeconds: growth('cpuUs', MICROSECONDS_PER_SECOND),
    systemCpuSeconds: growth('systemCpuUs', MICROSECONDS_PER_SECOND),
    ioWaitSeconds: growth('ioWaitUs', MICROSECONDS_PER_SECOND),
    deviceReadBytes: disk?.readBytes ?? null,
    deviceWrittenBytes: disk?.writtenBytes ?? null,
    deviceReads: disk?.readRequests ?? null,
    deviceWrites: disk?.writeRequests ?? null,
    // Readahead may read more than was asked for. On a side in memory, only the programs come from a disk.
    cachedShare: requestedBytes && io && !isMemory ? Math.max(0, 1 - io.readBytes / requestedBytes) : null,
  };
}
