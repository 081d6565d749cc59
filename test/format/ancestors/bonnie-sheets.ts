import type { Score, Sheet } from '../../../src/report/sheet.js';
import { KIB, MIB } from '../../../src/text/units.js';

/** A rate in KiB/s, or seeks a second, and the processor's percent. */
export type Pair = readonly [perSecond: number | null, cpuPercent: number | null];

const PHASES = ['putc', 'write', 'rewrite', 'getc', 'read', 'seeks'];

/** What Bonnie's columns hold, from left to right; null leaves a score out. */
export function scoresOf(...pairs: readonly (Pair | null)[]): Sheet['scores'] {
  return Object.fromEntries(
    pairs.flatMap((pair, at) => {
      const phase = PHASES[at];
      return pair && phase ? [[phase, scoreOf(phase, pair)]] : [];
    }),
  );
}

function scoreOf(phase: string, [rate, cpuPercent]: Pair): Score {
  const isSeeks = phase === 'seeks';
  return {
    figure: isSeeks ? 'operations' : 'bytes',
    perSecond: rate !== null && !isSeeks ? rate * KIB : rate,
    cpuPercent,
    latencyNs: null,
    amount: null,
    seconds: null,
  };
}

/** What Garloff shows on his page: `bonnie -s 400`. */
export function bonnieSheet(facts: Partial<Sheet> = {}): Sheet {
  return {
    program: { name: 'bonnie', version: '1.4' },
    label: 'gum07.garloff.de',
    startedAt: null,
    sizeBytes: 400 * MIB,
    volumes: 1,
    chunkBytes: 16_384,
    concurrency: 1,
    seed: null,
    seeks: 4000,
    seekers: 3,
    synced: false,
    unlocked: false,
    files: null,
    scores: scoresOf([8701, 93.2], [26069, 14.6], [10337, 12.2], [7950, 81.5], [23695, 11.2], [122.1, 1.5]),
    ...facts,
  };
}
