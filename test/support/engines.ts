import { findUringProblem } from '../../src/machine/uring.js';

export const HAS_URING = findUringProblem() === null;

/** The engines that work on this machine, as options and at several depths. */
export const ENGINE_OPTIONS = [
  { engine: 'threads', depth: 1 },
  ...(HAS_URING ? ([1, 3, 32] as const).map((depth) => ({ engine: 'uring', depth }) as const) : []),
] as const;
