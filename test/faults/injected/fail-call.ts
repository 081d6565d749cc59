import { createRunFiles, type RunFiles, readText } from './run-files.js';
import { buildArgs, phaseSequence, printsResult } from './scenario.js';
import type { SyscallKind } from './syscall-kind.js';
import { isOnReport, type Role, type Target } from './target.js';
import { findPathBelow, normalizePath, parseCalls, type TracedCall } from './traced-call.js';
import { injectIntoThread, startTracedRun } from './traced-run.js';

/** The errors of the calls in the middle; all others fail with EIO. */
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

/** Its index from the end among the threads, in the order of their creation. */
const THREAD_INDEX = { worker: -1, pool: -2 } as const satisfies Record<Role, number>;

/** The outcome of a run in which a call was made to fail. */
export interface FailedRun {
  readonly target: Target;
  readonly error: string;
  readonly files: RunFiles;
  readonly exitCode: number | null;
  /** The call that failed, if it is the intended one. */
  readonly call: TracedCall | null;
  /** strace's log, to explain why not. */
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

/** The program is stopped as it prints the figure before; then another strace attaches to one of its threads. */
async function failAfterResult(target: Target, error: string, files: RunFiles): Promise<number | null> {
  const { scenario, call, number, figures, role } = target;
  const stop = ['-e', 'trace=write', '-P', files.stdout, '-e', `inject=write:signal=SIGSTOP:when=${figures}`];
  const run = startTracedRun(stop, buildArgs(scenario, files), files);
  const threads = await run.untilStopped();
  const fault = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${number}`];
  const injection = await injectIntoThread(threads.at(THREAD_INDEX[role]) ?? '', fault, files.threadLog);
  process.kill(run.pid, 'SIGCONT');
  const exitCode = await run.ended;
  await injection.ended;
  return exitCode;
}

/** The injected call, if it is the only one, on the intended file and in its phase. */
function findInjectedCall(target: Target, files: RunFiles, log: string): TracedCall | null {
  const [call, ...others] = parseCalls(log).filter(({ isInjected }) => isInjected);
  if (!call || others.length > 0 || call.name !== target.call) return null;
  const path = findPathBelow(files.home, call);
  if (path === null || normalizePath(files.home, path) !== target.file) return null;
  const figures = countResultsBefore(call, target, files);
  // A report is written while the next phase goes on.
  const isInTime = isOnReport(target) ? figures >= target.figures : figures === target.figures;
  return isInTime ? call : null;
}

function countResultsBefore({ atSeconds }: TracedCall, { scenario }: Target, files: RunFiles): number {
  const resultCalls = parseCalls(readText(files.log)).filter((call) => printsResult(scenario, files, call));
  const count = resultCalls.filter((call) => call.atSeconds < atSeconds).length;
  return Math.min(count, phaseSequence(scenario).length);
}
