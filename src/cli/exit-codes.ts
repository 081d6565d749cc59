/** What a program that runs this one is told. After a signal it is the signal's own: see `signals.ts`. */
export const EXIT_CODES = {
  done: 0,
  failure: 1,
  usage: 2,
  /** It was measured, and a figure is not as it should be. */
  unmet: 3,
  /** Its own, after any signal. */
  bonniePlusPlusSignal: 5,
} as const;
