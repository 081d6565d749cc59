import { GIB, MIB } from '../text/units.js';
import type { OptionRow } from './row.js';

export const MAX_ZONE_BYTES = 1024 * GIB;
/** A block is read in pieces of this size. */
export const ZONE_CHUNK_BYTES = MIB;

/** zcav's. */
export const ZONES_DEFAULTS = { block: 512 * MIB, loops: 1 } as const;

/** Plain data, so that `zones --help` does not load zod. The schema has the same bounds. */
export const zonesCatalogue = {
  block: {
    alias: 'b',
    argument: 'MiB',
    group: 'Options',
    help: 'block size, one line of output each, like 64 or 1g',
    defaultText: String(ZONES_DEFAULTS.block / MIB),
    expects: `a whole number of MiB from 1 to ${MAX_ZONE_BYTES / MIB}, or a size like 64m or 1g`,
    example: '64',
  },
  loops: {
    alias: 'c',
    argument: 'N',
    group: 'Options',
    help: 'how many times to read it all; each line is then a mean, without the fastest and slowest third',
    defaultText: String(ZONES_DEFAULTS.loops),
    expects: 'a whole number above 0',
    example: '3',
  },
} as const satisfies Readonly<Record<string, OptionRow>>;
