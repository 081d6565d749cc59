import { DEFAULT_SIZE_RAM_MULTIPLE } from '../../plan/size.js';
import type { Example } from '../argv/example.js';

/** What a code means, in plain words. */
export interface Explanation {
  /** In one line. */
  readonly title: string;
  /** What gobonnie saw. */
  readonly cause: string;
  /** What that means for the figures, or for the run. */
  readonly impact: string;
  readonly remedy: string;
  /** The remedy to paste. */
  readonly examples: readonly Example[];
}

export const formatPercent = (share: number) => `${share * 100} %`;
/** How many memories the default size is. */
export const defaultSizeMultiple =
  DEFAULT_SIZE_RAM_MULTIPLE === 2 ? 'twice' : `${DEFAULT_SIZE_RAM_MULTIPLE} times`;
