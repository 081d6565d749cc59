import type { Stall } from '../report/events/event-record.js';
import { StallDetector } from '../run/kernel/stall-detector.js';
import { SYSTEM_LOG } from '../system-error.js';
import type { Terminal } from './output/terminal.js';

/** Signals that stop a run and let it clean up. On Windows, Node maps Ctrl-C and a closed window to them. */
export const SIGNAL_NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-Break on Windows. */
const BREAK_SIGNAL = 'SIGBREAK';
export type SignalName = (typeof SIGNAL_NAMES)[number];

/** Ctrl-C in a terminal reaches both the program and the npm that runs it, which forwards it again. */
const DUPLICATE_SIGNAL_MS = 500;

/** Reasons to abort a run other than a signal. */
export const STDOUT_FAILED = 'a closed stdout';
export const OUT_FAILED = 'a failed write to --out';

/**
 * Lets a run end early. The first signal or a closed stdout stops the run, which then cleans up; another signal kills
 * it. With `endsFirst`, a signal before them ends the run like its time. Disposing restores the default: signals end the
 * process.
 */
export function createInterruption(
  terminal: Pick<Terminal, 'process' | 'log' | 'onFailure' | 'endLiveLine'>,
  ignored: readonly SignalName[] = [],
  endsFirst = false,
) {
  const { process, log } = terminal;
  const controller = new AbortController();
  const ending = new AbortController();
  const abort = (reason: string) => controller.abort(reason);
  const kill = (name: SignalName) => {
    terminal.endLiveLine();
    log(`gobonnie: killed by another ${name}; the clean-up process removes any files once the disk responds`);
    release();
    // An uncaught signal ends the process even if a thread is stuck in the kernel. Windows only supports SIGKILL.
    process.kill(process.pid, process.platform === 'win32' ? 'SIGKILL' : name);
  };
  const actions = [abort, kill];
  if (endsFirst) actions.unshift((name) => ending.abort(name));
  let lastSignalMs = Number.NEGATIVE_INFINITY;
  const onSignal = (signal: SignalName | typeof BREAK_SIGNAL) => {
    if (performance.now() - lastSignalMs < DUPLICATE_SIGNAL_MS) return;
    lastSignalMs = performance.now();
    actions.shift()?.(signal === BREAK_SIGNAL ? 'SIGINT' : signal);
  };
  const caught = [...SIGNAL_NAMES.filter((name) => !ignored.includes(name)), BREAK_SIGNAL];
  for (const name of caught) process.on(name, onSignal);
  const release = () => {
    for (const name of caught) process.off(name, onSignal);
  };
  // They remain ignored after the release: a signal after the output must not turn success into failure.
  for (const name of ignored) process.on(name, () => {});
  terminal.onFailure = () => abort(STDOUT_FAILED);
  return { signal: controller.signal, end: ending.signal, abort, [Symbol.dispose]: release };
}

/** Logs when an operation is stuck in the kernel. Without `signal`, Ctrl-C ends the process. */
export function createStallDetector(
  timeoutSeconds: number,
  log: (line: string) => void,
  signal: AbortSignal = new AbortController().signal,
): StallDetector {
  return new StallDetector(timeoutSeconds, signal, (stall) => log(stallLine(stall)));
}

export function stallLine({ waitingFor, seconds, isAborted }: Stall): string {
  return isAborted
    ? `gobonnie: stuck waiting for ${waitingFor}; press Ctrl-C again to quit now`
    : `gobonnie: no progress for ${seconds} s, waiting for ${waitingFor}; ` +
        `check the disk (or its file server) and ${SYSTEM_LOG}, or press Ctrl-C`;
}
