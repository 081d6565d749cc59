import * as z from 'zod';
import { parseSize, SIZE_PATTERN } from '../text/parse-size.js';
import { GIB } from '../text/units.js';
import {
  BYTE_MODES,
  FILE_KINDS,
  MAX_DIRECTORIES,
  MAX_FILES,
  MAX_SEEKS,
  MAX_VOLUMES,
  PHASE_NAMES,
} from './bonnie-options.js';
import {
  BLOCK_UNIT_BYTES,
  CACHE_MODES,
  MAX_DURATION_SECONDS,
  MAX_SIZE_GIB,
  MIN_STABLE_RUNS,
  optionCatalogue as rows,
} from './option-catalogue.js';
import { MAX_THREADS, MAX_TRANSFER_BYTES } from './option-row.js';

/** These patterns have no RegExp flags, because JSON Schema supports none. */
export const DECIMAL_PATTERN = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
export const PERCENTAGE_PATTERN = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*%?$/;
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
const fromSize = fromText(SIZE_PATTERN, parseSize);
const fromGibibytes = fromText(GIBIBYTES_PATTERN, (text) =>
  DECIMAL_PATTERN.test(text) ? Number(text) : Number(parseSize(text)) / GIB,
);

/** Splits `write,read`. PowerShell turns that into `write read` for npm's script. */
function splitList(value: readonly string[] | string | undefined): unknown {
  return typeof value === 'string' ? value.trim().split(/\s*,\s*|\s+/) : value;
}

const NUL = '\0';
export const MAX_PERCENT = 100;

/** A switch, off by default. */
export const toggle = z.boolean().default(false);

const path = z
  .string()
  .min(1)
  .refine((text) => !text.includes(NUL));
const name = z
  .string()
  .min(1)
  .refine((text) => !/[\r\n\0]/.test(text));
const count = z.int().min(1);
const duration = z.number().positive().max(MAX_DURATION_SECONDS);
const transferBytes = z.int().max(MAX_TRANSFER_BYTES);
const blockBytes = transferBytes.min(BLOCK_UNIT_BYTES).multipleOf(BLOCK_UNIT_BYTES);
const seed = z.int().min(0);
const phases = z
  .array(z.enum(PHASE_NAMES))
  .min(1)
  .refine((names) => new Set(names).size === names.length);

/** The benchmark's options: their names, types, defaults and bounds. */
export const optionsSchema = z
  .strictObject({
    dir: path.optional(),
    size: fromGibibytes(z.number().positive().max(MAX_SIZE_GIB).optional()),
    threads: fromDecimal(count.max(MAX_THREADS).optional()),
    runs: fromDecimal(count.default(rows.runs.default)),
    seconds: fromDecimal(z.number().min(0).default(rows.seconds.default)),
    iopsDuration: fromDecimal(duration.default(rows.iopsDuration.default)),
    blockSize: fromSize(blockBytes.default(rows.blockSize.default)),
    ioSize: fromSize(transferBytes.min(1).default(rows.ioSize.default)),
    seed: fromDecimal(seed.default(() => Math.floor(Math.random() * 2 ** 32))),
    cache: z.enum(CACHE_MODES).default(rows.cache.default),
    direct: toggle,
    fsync: toggle,
    oneFile: toggle,
    sharedFile: toggle,
    sharedDir: toggle,
    readOwnFiles: toggle,
    stonewall: fromDecimal(duration.optional()),
    unique: toggle,
    verify: toggle,
    compressible: fromPercentage(z.number().min(0).max(MAX_PERCENT).default(rows.compressible.default)),
    untilStable: fromPercentage(z.number().positive().max(MAX_PERCENT).optional()),
    maxRuns: fromDecimal(z.int().min(MIN_STABLE_RUNS).default(rows.maxRuns.default)),
    stallTimeout: fromDecimal(z.number().min(0).max(MAX_DURATION_SECONDS).default(rows.stallTimeout.default)),
    barrierTimeout: fromDecimal(duration.default(rows.barrierTimeout.default)),
    phases: z.preprocess(splitList, phases.default([...rows.phases.default])),
    seeks: fromDecimal(count.max(MAX_SEEKS).default(rows.seeks.default)),
    seekThreads: fromDecimal(count.max(MAX_THREADS).optional()),
    dataFiles: fromDecimal(count.max(MAX_VOLUMES).default(rows.dataFiles.default)),
    byteSize: fromSize(count.optional()),
    byteMode: z.enum(BYTE_MODES).default(rows.byteMode.default),
    fsyncPerWrite: toggle,
    files: fromDecimal(count.max(MAX_FILES).default(rows.files.default)),
    fileKind: z.enum(FILE_KINDS).default(rows.fileKind.default),
    fileSize: fromSize(transferBytes.min(0).default(rows.fileSize.default)),
    fileMinSize: fromSize(transferBytes.min(0).default(rows.fileMinSize.default)),
    fileBlockSize: fromSize(transferBytes.min(1).optional()),
    directories: fromDecimal(z.int().min(0).max(MAX_DIRECTORIES).default(rows.directories.default)),
    label: name.optional(),
  })
  .refine(({ fileMinSize, fileSize }) => fileMinSize <= fileSize, { path: ['fileMinSize'] });

/** The options that a user or a program passes: all are optional, and numbers may be text. */
export type OptionsInput = Readonly<Partial<z.input<typeof optionsSchema>>>;

/** Validated and complete: blockSize and ioSize in bytes, size in GiB, the rest in the unit of its flag. */
export type Options = z.output<typeof optionsSchema>;
