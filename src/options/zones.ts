import * as z from 'zod';
import { GobonnieError } from '../errors.js';
import { shown } from '../text/escape.js';
import { parseSize } from '../text/size.js';
import { MIB } from '../text/units.js';
import { refusalOf } from './judge-options.js';
import { MAX_ZONE_BYTES, ZONE_CHUNK_BYTES, ZONES_DEFAULTS, zonesCatalogue } from './zones-catalogue.js';

/** The arguments of `zones`, not validated yet. */
export interface ZonesInput {
  readonly file?: string | undefined;
  readonly block?: string | undefined;
  readonly loops?: string | undefined;
}

const DIGITS = /^\d+$/;
const NUL = '\0';
const STDIN = '-';
const NAME_ONE = 'name a file or a block device, for example /dev/sda';

/** A bare number is in MiB, as in zcav. Other text stays as it is and is refused. */
function bytes(value: unknown): unknown {
  return typeof value === 'string' ? (parseSize(value, MIB) ?? value) : value;
}

function whole(value: unknown): unknown {
  return typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
}

const zonesSchema = z.object({
  file: z
    .string()
    .min(1)
    .refine((path) => path !== STDIN && !path.includes(NUL)),
  block: z.preprocess(
    bytes,
    z
      .int()
      .min(ZONE_CHUNK_BYTES)
      .max(MAX_ZONE_BYTES)
      .multipleOf(ZONE_CHUNK_BYTES)
      .default(ZONES_DEFAULTS.block),
  ),
  loops: z.preprocess(whole, z.int().min(1).default(ZONES_DEFAULTS.loops)),
});

export interface ZonesOptions {
  readonly file: string;
  readonly blockBytes: number;
  readonly loops: number;
}

/** Returns the complete options, or throws a GobonnieError for the first one that is wrong. */
export function judgeZones(input: ZonesInput): ZonesOptions {
  const verdict = zonesSchema.safeParse(input);
  if (verdict.success) {
    const { file, block, loops } = verdict.data;
    return { file, blockBytes: block, loops };
  }
  const name = verdict.error.issues[0]?.path[0];
  if (name === 'block' || name === 'loops') throw refusalOf(name, zonesCatalogue[name], input[name]);
  throw new GobonnieError('option-invalid', wrongFile(input.file), NAME_ONE);
}

function wrongFile(file: string | undefined): string {
  if (file === undefined) return 'zones needs a FILE';
  return file === STDIN ? 'zones cannot read stdin' : `FILE ${shown(file)} is not the path of a file`;
}
