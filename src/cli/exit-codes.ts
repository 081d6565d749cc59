/** After a signal the exit code is the signal's own: see `signals.ts`. */
export const EXIT_CODES = {
  success: 0,
  failure: 1,
  usage: 2,
  /** The figures are complete, and one is not as good as asked for. */
  unmet: 3,
  /** After any signal. */
  bonniePlusPlusSignal: 5,
} as const;
