import os from 'node:os';

export const EXIT_CODES = {
  success: 0,
  failure: 1,
  usage: 2,
  /** The results are complete, but fail an expectation or a comparison. */
  unmet: 3,
  /** bonnie++'s exit code after any signal. */
  bonniePlusPlusSignal: 5,
} as const;

/** Shells report this plus the signal number as the exit code of a killed process. */
const SIGNAL_EXIT_BASE = 128;

/** Returns the exit code of a run aborted by this signal, or `failure` for any other reason. */
export function signalExitCode(reason: string): number {
  const number = Object.entries(os.constants.signals).find(([name]) => name === reason)?.[1];
  return number === undefined ? EXIT_CODES.failure : SIGNAL_EXIT_BASE + number;
}
