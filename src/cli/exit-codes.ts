/** Exit codes. After a signal, the exit code depends on the signal: see `signals.ts`. */
export const EXIT_CODES = {
  success: 0,
  failure: 1,
  usage: 2,
  /** The results are complete, but fail an expectation or a comparison. */
  unmet: 3,
  /** bonnie++'s exit code after any signal. */
  bonniePlusPlusSignal: 5,
} as const;
