import type { CliProcess } from './output/terminal.js';

/** The signals that end a run in good order, and the exit codes that say so. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

export type SignalName = keyof typeof EXIT_CODES;
export const SIGNAL_NAMES = Object.keys(EXIT_CODES) as readonly SignalName[];

/**
 * Calls `onSignal` instead of dying, until the returned function is called. Those to be ignored are so to the very end:
 * one that comes when all is said must not make a failure of it.
 */
export function catchSignals(
  process: CliProcess,
  onSignal: (name: SignalName) => void,
  ignored: readonly SignalName[] = [],
): () => void {
  for (const name of ignored) process.on(name, () => {});
  const listeners = SIGNAL_NAMES.filter((name) => !ignored.includes(name)).map(
    (name) => [name, () => onSignal(name)] as const,
  );
  for (const [name, listener] of listeners) process.on(name, listener);
  return () => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
}

export function signalExitCode(reason: string): number {
  return SIGNAL_NAMES.includes(reason as SignalName) ? EXIT_CODES[reason as SignalName] : 1;
}
