import { DEFAULT_SIZE_RAM_MULTIPLE } from '../../plan/size.js';
import type { Example } from '../argv/example.js';

/** The explanation of a code. */
export interface Explanation {
  /** One line. */
  readonly title: string;
  /** What gobonnie detected. */
  readonly cause: string;
  /** The effect on the results or on the run. */
  readonly impact: string;
  readonly remedy: string;
  /** Commands to paste. */
  readonly examples: readonly Example[];
}

export const formatPercent = (share: number) => `${share * 100} %`;
/** The default size as a multiple of the RAM. */
export const defaultSizeMultiple =
  DEFAULT_SIZE_RAM_MULTIPLE === 2 ? 'twice' : `${DEFAULT_SIZE_RAM_MULTIPLE} times`;
