import type { Phase } from '../../workers/phases/phase.js';
import type { Options } from '../options/schema.js';

/** When a phase is done: after so much of what. */
export interface Goal {
  readonly unit: 'bytes' | 'operations' | 'seconds';
  readonly amount: number;
}

/** What there is to do. */
interface Work {
  readonly options: Pick<Options, 'iopsDuration' | 'seeks' | 'files'>;
  readonly totalBytes: number;
  readonly byteWiseTotalBytes: number;
}

export function goalOf(
  { ends, moves, team }: Pick<Phase, 'ends' | 'moves' | 'team'>,
  { options, totalBytes, byteWiseTotalBytes }: Work,
): Goal {
  if (ends === 'duration') return { unit: 'seconds', amount: options.iopsDuration };
  switch (moves) {
    case 'files':
      return { unit: 'operations', amount: options.files };
    case 'bytes':
      return { unit: 'bytes', amount: byteWiseTotalBytes };
    default:
      return team === 'seekers'
        ? { unit: 'operations', amount: options.seeks }
        : { unit: 'bytes', amount: totalBytes };
  }
}
