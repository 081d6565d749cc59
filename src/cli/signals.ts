import os from 'node:os';
import { EXIT_CODES } from './exit-codes.js';
import type { CliProcess } from './output/terminal.js';

/** Signals that stop a run and let it clean up. On Windows, Node maps Ctrl-C and a closed window to them. */
export const SIGNAL_NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const BREAK_SIGNAL = 'SIGBREAK';
export type SignalName = (typeof SIGNAL_NAMES)[number];

/** Shells report this plus the signal number as the exit code of a killed process. */
const SIGNAL_EXIT_BASE = 128;

/**
 * Calls `onSignal` instead of ending the process, until the caller calls the returned function. `ignored` signals
 * remain ignored even then: an ignored signal that arrives after the output must not turn success into failure.
 */
export function catchSignals(
  process: Pick<CliProcess, 'on' | 'off'>,
  onSignal: (name: SignalName) => void,
  ignored: readonly SignalName[] = [],
): () => void {
  for (const name of ignored) process.on(name, () => {});
  const caught = SIGNAL_NAMES.filter((name) => !ignored.includes(name));
  const onBreak = () => onSignal('SIGINT');
  for (const name of caught) process.on(name, onSignal);
  process.on(BREAK_SIGNAL, onBreak);
  return () => {
    for (const name of caught) process.off(name, onSignal);
    process.off(BREAK_SIGNAL, onBreak);
  };
}

/** Returns the exit code of a run aborted by this signal, or `failure` for any other reason. */
export function signalExitCode(reason: string): number {
  const number = Object.entries(os.constants.signals).find(([name]) => name === reason)?.[1];
  return number === undefined ? EXIT_CODES.failure : SIGNAL_EXIT_BASE + number;
}
