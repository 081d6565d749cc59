import type { Score, Sheet } from '../../../src/report/sheet.js';
import { KIB, MIB, NS_PER_US } from '../../../src/text/units.js';

/** So many KiB or operations a second, at so many %CPU, with a longest operation of so many microseconds. */
export function bytes(kibPerSecond: number | null, cpuPercent: number | null, us: number | null): Score {
  return scoreOf('bytes', kibPerSecond === null ? null : kibPerSecond * KIB, cpuPercent, us);
}

export function operations(perSecond: number | null, cpuPercent: number | null, us: number | null): Score {
  return scoreOf('operations', perSecond, cpuPercent, us);
}

function scoreOf(
  figure: Score['figure'],
  perSecond: number | null,
  cpuPercent: number | null,
  us: number | null,
): Score {
  return {
    figure,
    perSecond,
    cpuPercent,
    latencyNs: us === null ? null : us * NS_PER_US,
    amount: null,
    seconds: null,
  };
}

export const FILE_SCORES: Sheet['scores'] = {
  create: operations(null, null, 158),
  stat: operations(null, null, 44),
  delete: operations(null, null, 236),
  'create-random': operations(null, null, 520),
  'stat-random': operations(null, null, 2),
  'delete-random': operations(null, null, 37),
};

export const IO_SCORES: Sheet['scores'] = {
  putc: bytes(1961, 99, 4474),
  write: bytes(null, null, 864),
  rewrite: bytes(null, null, 38),
  getc: bytes(3189, 99, 2763),
  read: bytes(null, null, 30),
  seeks: operations(null, null, 3346),
};

/** What the real `bonnie++ -s 64 -r 0 -n 1 -m goldhost` came to. */
export function bonniePlusPlusSheet(facts: Partial<Sheet> = {}): Sheet {
  return {
    program: { name: 'bonnie++', version: '2.00a' },
    label: 'goldhost',
    startedAt: null,
    sizeBytes: 64 * MIB,
    volumes: 1,
    chunkBytes: 8192,
    concurrency: 1,
    seed: '7',
    seeks: 8192,
    seekers: 5,
    synced: true,
    unlocked: false,
    files: {
      count: 1024,
      kind: 'files',
      minBytes: 0,
      maxBytes: 0,
      directories: 1,
      chunkBytes: null,
    },
    scores: { ...IO_SCORES, ...FILE_SCORES },
    ...facts,
  };
}
