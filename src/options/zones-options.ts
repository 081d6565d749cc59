import * as z from 'zod';
import { optionError } from '../errors.js';
import { GIB, MIB, parseSize, SIZE_PATTERN } from '../text/units.js';
import { fromText, inBounds } from './field-schemas.js';
import { type OptionRow, wholeNumber } from './option-row.js';
import { parseOptions } from './validate-options.js';

const MAX_ZONE_BYTES = 1024 * GIB;
/** A block is read in pieces of this size. */
export const ZONE_CHUNK_BYTES = MIB;

/** The defaults are zcav's. The schema has the same bounds. */
export const zonesOptionCatalogue = {
  block: {
    alias: 'b',
    argument: 'MiB',
    group: 'Options',
    help: 'size of a block (one line of output), like 64 or 1g',
    default: 512 * MIB,
    defaultText: '512',
    expects: `a whole number of MiB from 1 to ${MAX_ZONE_BYTES / MIB}, or a size like 64m or 1g`,
    example: '64',
  },
  loops: {
    alias: 'c',
    group: 'Options',
    help: 'number of passes over FILE; with several, each line is the mean of the passes without the fastest and slowest third',
    ...wholeNumber({ min: 1, default: 1, example: '3' }),
  },
} as const satisfies Readonly<Record<string, OptionRow>>;

/** What `zones` can read on a platform. Node cannot read a device on Windows. */
const ZONES_TARGETS: Readonly<Record<string, { readonly noun: string; readonly example: string }>> = {
  darwin: { noun: 'file or disk', example: '/dev/rdisk0' },
  win32: { noun: 'file', example: 'C:\\image.raw' },
};

export function zonesTarget(platform: string) {
  return ZONES_TARGETS[platform] ?? { noun: 'file or block device', example: '/dev/sda' };
}

/** A bare number is in MiB, as in zcav. */
const fromMebibytes = fromText(SIZE_PATTERN, (text) => parseSize(text, MIB));
const fromDigits = fromText(/^\d+$/, Number);

const blockBytes = z.int().min(ZONE_CHUNK_BYTES).max(MAX_ZONE_BYTES).multipleOf(ZONE_CHUNK_BYTES);
const zonesSchema = z.object({
  block: fromMebibytes(blockBytes.default(zonesOptionCatalogue.block.default)),
  loops: fromDigits(inBounds(zonesOptionCatalogue.loops).default(zonesOptionCatalogue.loops.default)),
});

export interface ZonesOptionsInput extends Partial<Record<keyof typeof zonesOptionCatalogue, string>> {
  readonly file?: string | undefined;
}

export type ZonesOptions = ReturnType<typeof validateZonesOptions>;

/** Returns the complete options. Throws a GobonnieError for the first invalid option. */
export function validateZonesOptions({ file, ...flags }: ZonesOptionsInput) {
  if (!file || file === '-') {
    const { noun, example } = zonesTarget(process.platform);
    const problem = file === '-' ? 'zones cannot read stdin' : 'zones needs a FILE';
    throw optionError(problem, `pass a ${noun}, such as ${example}`);
  }
  const { block, loops } = parseOptions(zonesSchema, zonesOptionCatalogue, flags);
  return { file, blockBytes: block, loops };
}
