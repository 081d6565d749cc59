import type { Example } from '../argv/wrapping.js';

/** What a code means, in plain words. */
export interface Explanation {
  /** In one line. */
  readonly title: string;
  /** What gobonnie saw. */
  readonly seen: string;
  /** What that means for the figures, or for the run. */
  readonly means: string;
  readonly remedy: string;
  /** The remedy to paste. */
  readonly examples: readonly Example[];
}
