import { GIB, MIB } from '../text/units.js';
import type { OptionRow } from './row.js';

export const MAX_ZONE_BYTES = 1024 * GIB;
/** The block is read in such pieces. */
export const ZONE_CHUNK_BYTES = MIB;

/** zcav's. */
export const ZONES_DEFAULTS = { block: 512 * MIB, loops: 1 } as const;

/** Plain data, so that `zones --help` loads no validator. The schema beside it judges by these bounds. */
export const zonesCatalogue = {
  block: {
    flags: ['b', 'block'],
    argument: 'MiB',
    group: 'Options',
    help: 'how much makes one line, like 64 or 1g',
    defaultText: String(ZONES_DEFAULTS.block / MIB),
    expects: `a whole number of MiB from 1 to ${MAX_ZONE_BYTES / MIB}, or a size like 64m or 1g`,
    example: '64',
  },
  loops: {
    flags: ['c', 'loops'],
    argument: 'N',
    group: 'Options',
    help: 'how many times to read all of it; the lines are then means, without the fastest and the slowest third',
    defaultText: String(ZONES_DEFAULTS.loops),
    expects: 'a whole number above 0',
    example: '3',
  },
} as const satisfies Readonly<Record<string, OptionRow>>;
