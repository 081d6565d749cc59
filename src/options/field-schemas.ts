import * as z from 'zod';
import { GIB, MS_PER_SECOND, parseSize, SIZE_PATTERN } from '../text/units.js';
import { BLOCK_UNIT_BYTES, MAX_SIZE_GIB, optionCatalogue } from './option-catalogue.js';
import { type Bounds, MAX_TRANSFER_BYTES } from './option-row.js';

/** These patterns have no RegExp flags, because JSON Schema supports none. */
export const DECIMAL_PATTERN = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
export const PERCENTAGE_PATTERN = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?( *%)?$/;
/** A number without a unit is in GiB. */
export const GIBIBYTES_PATTERN = new RegExp(`${DECIMAL_PATTERN.source}|${SIZE_PATTERN.source}`);

/** Converts text of this pattern: command lines pass text, programs pass numbers. `type` rejects any other text. */
export function fromText(pattern: RegExp, parse: (text: string) => number | null) {
  return <Type extends z.ZodType>(type: Type) =>
    z.preprocess(
      (value: number | string | undefined): unknown =>
        typeof value === 'string' && pattern.test(value) ? parse(value) : value,
      type,
    );
}

export const fromDecimal = fromText(DECIMAL_PATTERN, Number);
/** `5%` is 5. */
export const fromPercentage = fromText(PERCENTAGE_PATTERN, (text) => Number(text.replace('%', '')));
/** A number without a unit is in seconds. */
export const fromTime = fromText(/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?(ms|s)?$/, (text) =>
  text.endsWith('ms') ? Number.parseFloat(text) / MS_PER_SECOND : Number.parseFloat(text),
);
export const fromSize = fromText(SIZE_PATTERN, parseSize);
export const fromGibibytes = fromText(GIBIBYTES_PATTERN, (text) =>
  DECIMAL_PATTERN.test(text) ? Number(text) : Number(parseSize(text)) / GIB,
);

/** A whole number within the bounds of its row. */
export function inBounds({ min, max = Number.MAX_SAFE_INTEGER }: Bounds) {
  return z.int().min(min).max(max);
}

/** A number within the bounds of its row. */
export function realInBounds({ min, isAbove, max }: Bounds) {
  const number = isAbove ? z.number().gt(min) : z.number().min(min);
  return max === undefined ? number : number.max(max);
}

export const percentage = realInBounds(optionCatalogue.mix);

export const toggle = z.boolean().default(false);

export const duration = realInBounds(optionCatalogue.stonewall);
export const blockBytes = z.int().min(BLOCK_UNIT_BYTES).max(MAX_TRANSFER_BYTES).multipleOf(BLOCK_UNIT_BYTES);
export const sizeGib = z.number().positive().max(MAX_SIZE_GIB);
