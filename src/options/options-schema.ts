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
  OPTION_DEFAULTS,
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

/** The benchmark's options: their names, types, defaults and bounds. */
export const optionsSchema = z
  .strictObject({
    dir: z
      .string()
      .min(1)
      .refine((path) => !path.includes(NUL))
      .optional(),
    size: fromGibibytes(z.number().positive().max(MAX_SIZE_GIB).optional()),
    threads: fromDecimal(z.int().min(1).max(MAX_THREADS).optional()),
    runs: fromDecimal(z.int().min(1).default(OPTION_DEFAULTS.runs)),
    seconds: fromDecimal(z.number().min(0).default(OPTION_DEFAULTS.seconds)),
    iopsDuration: fromDecimal(
      z.number().positive().max(MAX_DURATION_SECONDS).default(OPTION_DEFAULTS.iopsDuration),
    ),
    blockSize: fromSize(
      z
        .int()
        .min(BLOCK_UNIT_BYTES)
        .max(MAX_TRANSFER_BYTES)
        .multipleOf(BLOCK_UNIT_BYTES)
        .default(OPTION_DEFAULTS.blockSize),
    ),
    ioSize: fromSize(z.int().min(1).max(MAX_TRANSFER_BYTES).default(OPTION_DEFAULTS.ioSize)),
    mix: fromPercentage(z.number().min(0).max(MAX_PERCENT).default(OPTION_DEFAULTS.mix)),
    seed: fromDecimal(
      z
        .int()
        .min(0)
        .default(() => Math.floor(Math.random() * 2 ** 32)),
    ),
    cache: z.enum(CACHE_MODES).default(OPTION_DEFAULTS.cache),
    direct: toggle,
    fsync: toggle,
    oneFile: toggle,
    sharedFile: toggle,
    sharedDir: toggle,
    readOwnFiles: toggle,
    stonewall: fromDecimal(z.number().positive().max(MAX_DURATION_SECONDS).optional()),
    unique: toggle,
    verify: toggle,
    compressible: fromPercentage(z.number().min(0).max(MAX_PERCENT).default(OPTION_DEFAULTS.compressible)),
    untilStable: fromPercentage(z.number().positive().max(MAX_PERCENT).optional()),
    maxRuns: fromDecimal(z.int().min(MIN_STABLE_RUNS).default(OPTION_DEFAULTS.maxRuns)),
    stallTimeout: fromDecimal(
      z.number().min(0).max(MAX_DURATION_SECONDS).default(OPTION_DEFAULTS.stallTimeout),
    ),
    barrierTimeout: fromDecimal(
      z.number().positive().max(MAX_DURATION_SECONDS).default(OPTION_DEFAULTS.barrierTimeout),
    ),
    phases: z.preprocess(
      splitList,
      z
        .array(z.enum(PHASE_NAMES))
        .min(1)
        .refine((names) => new Set(names).size === names.length)
        .default([...OPTION_DEFAULTS.phases]),
    ),
    seeks: fromDecimal(z.int().min(1).max(MAX_SEEKS).default(OPTION_DEFAULTS.seeks)),
    seekThreads: fromDecimal(z.int().min(1).max(MAX_THREADS).optional()),
    dataFiles: fromDecimal(z.int().min(1).max(MAX_VOLUMES).default(OPTION_DEFAULTS.dataFiles)),
    byteSize: fromSize(z.int().min(1).optional()),
    byteMode: z.enum(BYTE_MODES).default(OPTION_DEFAULTS.byteMode),
    fsyncPerWrite: toggle,
    files: fromDecimal(z.int().min(1).max(MAX_FILES).default(OPTION_DEFAULTS.files)),
    fileKind: z.enum(FILE_KINDS).default(OPTION_DEFAULTS.fileKind),
    fileSize: fromSize(z.int().min(0).max(MAX_TRANSFER_BYTES).default(OPTION_DEFAULTS.fileSize)),
    fileMinSize: fromSize(z.int().min(0).max(MAX_TRANSFER_BYTES).default(OPTION_DEFAULTS.fileMinSize)),
    fileBlockSize: fromSize(z.int().min(1).max(MAX_TRANSFER_BYTES).optional()),
    directories: fromDecimal(z.int().min(0).max(MAX_DIRECTORIES).default(OPTION_DEFAULTS.directories)),
    label: z
      .string()
      .min(1)
      .refine((name) => !/[\r\n\0]/.test(name))
      .optional(),
  })
  .refine(({ fileMinSize, fileSize }) => fileMinSize <= fileSize, { path: ['fileMinSize'] });

/** The options that a user or a program passes: all are optional, and numbers may be text. */
export type OptionsInput = Readonly<Partial<z.input<typeof optionsSchema>>>;

/** Validated and complete: blockSize and ioSize in bytes, size in GiB, the rest in the unit of its flag. */
export type Options = z.output<typeof optionsSchema>;
