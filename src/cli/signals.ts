import os from 'node:os';
import { EXIT_CODES } from './exit-codes.js';
import type { CliProcess } from './output/terminal.js';

/** The signals that stop a run and let it clean up. On Windows they are Ctrl-C and a closed window. */
export const SIGNAL_NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Ctrl-Break on Windows. */
const BREAK_SIGNAL = 'SIGBREAK';
export type SignalName = (typeof SIGNAL_NAMES)[number];

/** The exit code of a process that a signal killed, as shells see it, is this plus the signal's number. */
const SIGNAL_EXIT_BASE = 128;

/**
 * Calls `onSignal` instead of letting the process end, until the returned function is called. `ignored` signals stay
 * ignored even then: one that comes when everything has been printed must not turn success into failure.
 */
export function catchSignals(
  process: Pick<CliProcess, 'on' | 'off'>,
  onSignal: (name: SignalName) => void,
  ignored: readonly SignalName[] = [],
): () => void {
  for (const name of ignored) process.on(name, () => {});
  const listeners = SIGNAL_NAMES.filter((name) => !ignored.includes(name)).map(
    (name) => [name, () => onSignal(name)] as const,
  );
  for (const [name, listener] of listeners) process.on(name, listener);
  const onBreak = () => onSignal('SIGINT');
  process.on(BREAK_SIGNAL, onBreak);
  return () => {
    for (const [name, listener] of listeners) process.off(name, listener);
    process.off(BREAK_SIGNAL, onBreak);
  };
}

/** The exit code of a run that was stopped for this reason. */
export function signalExitCode(reason: string): number {
  const number = Object.entries(os.constants.signals).find(([name]) => name === reason)?.[1];
  return number === undefined ? EXIT_CODES.failure : SIGNAL_EXIT_BASE + number;
}
