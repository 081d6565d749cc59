import { type Call, callsOf, likeness, pathBelow } from './call.js';
import { argsOf, tellsFigure, turnsOf } from './course.js';
import type { Kind } from './kind.js';
import { contentOf, makeSite, type Site } from './site.js';
import { injectInto, startSubject } from './subject.js';
import { isOfReport, type Role, type Target } from './target.js';

/** The errors of the calls in the middle; all others fail with EIO. */
const OTHER_ERRORS = {
  openat: 'EMFILE',
  pwrite64: 'ENOSPC',
  pread64: 'ESTALE',
  fsync: 'ENOSPC',
  close: 'EDQUOT',
  unlink: 'EROFS',
  mkdir: 'ENOSPC',
  rename: 'ENOSPC',
  rmdir: 'EPERM',
} as const satisfies Record<Kind, string>;

/** Its index from the end among the threads, in the order of their creation. */
const FROM_BEHIND = { worker: -1, pool: -2 } as const satisfies Record<Role, number>;

/** The outcome of a run in which a call was made to fail. */
export interface Broken {
  readonly target: Target;
  readonly error: string;
  readonly site: Site;
  readonly exitCode: number | null;
  /** The call that failed, if it is the intended one. */
  readonly call: Call | null;
  /** strace's log, to explain why not. */
  readonly log: string;
}

export async function breakCall(target: Target): Promise<Broken> {
  const { course } = target;
  const error = target.place === 'middle' ? OTHER_ERRORS[target.kind] : 'EIO';
  const site = makeSite(course.parent);
  const exitCode =
    course.since === 'start'
      ? await failFromStart(target, error, site)
      : await failAfterFigure(target, error, site);
  const log = contentOf(course.since === 'start' ? site.log : site.threadLog);
  return { target, error, site, exitCode, call: meantCall(target, site, log), log };
}

function failFromStart({ course, call, number }: Target, error: string, site: Site): Promise<number | null> {
  const fault = ['-e', `trace=${call},write`, '-e', `inject=${call}:error=${error}:when=${number}`];
  return startSubject(['-f', '--seccomp-bpf', ...fault], argsOf(course, site), site).ended;
}

/** The program is stopped as it prints the figure before; then another strace attaches to one of its threads. */
async function failAfterFigure(target: Target, error: string, site: Site): Promise<number | null> {
  const { course, call, number, figures, role } = target;
  const stop = ['-e', 'trace=write', '-P', site.stdout, '-e', `inject=write:signal=SIGSTOP:when=${figures}`];
  const subject = startSubject(stop, argsOf(course, site), site);
  const threads = await subject.stopped();
  const fault = ['-e', `trace=${call}`, '-e', `inject=${call}:error=${error}:when=${number}`];
  const injection = await injectInto(threads.at(FROM_BEHIND[role]) ?? '', fault, site.threadLog);
  process.kill(subject.pid, 'SIGCONT');
  const exitCode = await subject.ended;
  await injection.ended;
  return exitCode;
}

/** The injected call, if it is the only one, on the intended file and in its phase. */
function meantCall(target: Target, site: Site, log: string): Call | null {
  const [call, ...others] = callsOf(log).filter(({ isInjected }) => isInjected);
  if (!call || others.length > 0 || call.name !== target.call) return null;
  const path = pathBelow(site.home, call);
  if (path === null || likeness(site.home, path) !== target.file) return null;
  const figures = figuresBefore(call, target, site);
  // A report is written while the next phase goes on.
  const isInTime = isOfReport(target) ? figures >= target.figures : figures === target.figures;
  return isInTime ? call : null;
}

function figuresBefore({ atSeconds }: Call, { course }: Target, site: Site): number {
  const told = callsOf(contentOf(site.log)).filter((call) => tellsFigure(course, site, call));
  const count = told.filter((call) => call.atSeconds < atSeconds).length;
  return Math.min(count, turnsOf(course).length);
}
