import { createRunFiles, type RunFiles, readText } from './run-files.js';
import { buildArgs, phaseSequence, printsResult } from './scenario.js';
import type { SyscallKind } from './syscall-kind.js';
import { isOnReport, type Role, type Target } from './target.js';
import { findPathBelow, normalizePath, parseCalls, type TracedCall } from './traced-call.js';
import { injectIntoThread, startTracedRun } from './traced-run.js';

/** Errors of the middle calls; the first and last calls fail with EIO. */
const MIDDLE_CALL_ERRORS = {
  openat: 'EMFILE',
  pwrite64: 'ENOSPC',
  pread64: 'ESTALE',
  fsync: 'ENOSPC',
  close: 'EDQUOT',
  unlink: 'EROFS',
  mkdir: 'ENOSPC',
  rename: 'ENOSPC',
  rmdir: 'EPERM',
} as const satisfies Record<SyscallKind, string>;

/** Index of the thread in the order of creation, counted from the end. */
const THREAD_INDEX = { worker: -1, pool: -2 } as const satisfies Record<Role, number>;

/** The outcome of a run with an injected failure. */
export interface FailedRun {
  readonly target: Target;
  readonly error: string;
  readonly files: RunFiles;
  readonly exitCode: number | null;
  /** The failed call; null if another call failed, or no call. */
  readonly call: TracedCall | null;
  /** strace's log, which shows why `call` is null. */
  readonly log: string;
}

export async function failCall(target: Target): Promise<FailedRun> {
  const { scenario } = target;
  const error = target.position === 'middle' ? MIDDLE_CALL_ERRORS[target.kind] : 'EIO';
  const files = createRunFiles(scenario.parent);
  const exitCode =
    scenario.since === 'start'
      ? await failFromStart(target, error, files)
      : await failAfterResult(target, error, files);
  const log = readText(scenario.since === 'start' ? files.log : files.threadLog);
  return { target, error, files, exitCode, call: findInjectedCall(target, files, log), log };
}

function failFromStart(
  { scenario, call, number }: Target,
  error: string,
  files: RunFiles,
): Promise<number | null> {
  const fault = ['-e', `trace=${call},write`, '-e', `inject=${call}:error=${error}:when=${number}`];
  return startTracedRun(['-f', '--seccomp-bpf', ...fault], buildArgs(scenario, files), files).ended;
}

/** Stops the program when it prints the previous result, and then attaches another strace to one thread. */
async function failAfterResult(target: Target, error: string, files: RunFiles): Promise<number | null> {
  const { scenario, call, number, resultCount, role } = target;
  const stop = [
    '-e',
    'trace=write',
    '-P',
    files.stdout,
    '-e',
    `inject=write:signal=SIGSTOP:when=${resultCount}`,
  ];
  const run = startTracedRun(stop, buildArgs(scenario, files), files);
  const threads = await run.untilStopped();
  const fault = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${number}`];
  const injection = await injectIntoThread(threads.at(THREAD_INDEX[role]) ?? '', fault, files.threadLog);
  process.kill(run.pid, 'SIGCONT');
  const exitCode = await run.ended;
  await injection.ended;
  return exitCode;
}

/** Returns the injected call, or null unless it is the only one, on the intended file and in the intended phase. */
function findInjectedCall(target: Target, files: RunFiles, log: string): TracedCall | null {
  const [call, ...others] = parseCalls(log).filter(({ isInjected }) => isInjected);
  if (!call || others.length > 0 || call.name !== target.call) return null;
  const path = findPathBelow(files.home, call);
  if (path === null || normalizePath(files.home, path) !== target.file) return null;
  const resultCount = countResultsBefore(call, target, files);
  // gobonnie writes a report during the next phase.
  const isInTime = isOnReport(target)
    ? resultCount >= target.resultCount
    : resultCount === target.resultCount;
  return isInTime ? call : null;
}

function countResultsBefore({ atSeconds }: TracedCall, { scenario }: Target, files: RunFiles): number {
  const resultCalls = parseCalls(readText(files.log)).filter((call) => printsResult(scenario, files, call));
  const count = resultCalls.filter((call) => call.atSeconds < atSeconds).length;
  return Math.min(count, phaseSequence(scenario).length);
}
