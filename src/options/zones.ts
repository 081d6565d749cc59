import * as z from 'zod';
import { GobonnieError } from '../errors.js';
import { shown } from '../text/escape.js';
import { parseSize } from '../text/size.js';
import { MIB } from '../text/units.js';
import { MAX_ZONE_BYTES, ZONE_CHUNK_BYTES, ZONES_DEFAULTS, zonesCatalogue } from './zones-catalogue.js';

/** What `zones` was asked for, before it is judged. */
export interface ZonesInput {
  readonly file?: string | undefined;
  readonly block?: string | undefined;
  readonly loops?: string | undefined;
}

const DIGITS = /^\d+$/;
const NUL = '\0';
const STDIN = '-';
const NAME_ONE = 'name a file or a block device, for example /dev/sda';

/** What is neither stays as it is and is refused. */
function bytes(value: unknown): unknown {
  // A bare number is in MiB, as zcav counts.
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

/** Gives the complete options, or throws a GobonnieError on the first one that is wrong. */
export function judgeZones(input: ZonesInput): ZonesOptions {
  const verdict = zonesSchema.safeParse(input);
  if (verdict.success) {
    const { file, block, loops } = verdict.data;
    return { file, blockBytes: block, loops };
  }
  const name = verdict.error.issues[0]?.path[0];
  if (name === 'block' || name === 'loops') throw optionRefusal(name, input);
  throw new GobonnieError('option-invalid', fileFault(input.file), NAME_ONE);
}

function optionRefusal(name: 'block' | 'loops', input: ZonesInput): GobonnieError {
  const { expects, example } = zonesCatalogue[name];
  return new GobonnieError(
    'option-invalid',
    `--${name} ${shown(input[name])} is not ${expects}`,
    `pass for example --${name} ${example}`,
  );
}

function fileFault(file: string | undefined): string {
  if (file === undefined) return 'zones was given no FILE';
  return file === STDIN
    ? 'FILE - would be stdin, which zones does not take: what comes through a pipe has no zones'
    : `FILE ${shown(file)} is not the path of a file`;
}
