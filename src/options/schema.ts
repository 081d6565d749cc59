import * as z from 'zod';
import { parseSize, SIZE } from '../text/size.js';
import { GIB } from '../text/units.js';
import {
  BLOCK_UNIT_BYTES,
  CACHE_MODES,
  DEFAULTS,
  LEAST_STABLE_RUNS,
  MAX_DURATION_SECONDS,
  MAX_SIZE_GIB,
  MAX_STONEWALL_SECONDS,
} from './catalogue.js';
import {
  BYTE_MODES,
  FILE_KINDS,
  MAX_DIRECTORIES,
  MAX_FILES,
  MAX_SEEKS,
  MAX_VOLUMES,
  PHASE_NAMES,
} from './family.js';
import { MAX_THREADS, MAX_TRANSFER_BYTES } from './row.js';

/** These have no RegExp flags, as JSON Schema has none. */
export const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
export const PERCENTAGE = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*%?$/;
/** A number without a unit is in GiB. */
export const GIBIBYTES = new RegExp(`${DECIMAL.source}|${SIZE.source}`);

/** A command line passes text, a program numbers. Text of another form stays as it is and is refused. */
export function orText(form: RegExp, parse: (text: string) => number | null) {
  return <Type extends z.ZodType>(type: Type) =>
    z.preprocess(
      (value: number | string | undefined): unknown =>
        typeof value === 'string' && form.test(value) ? parse(value) : value,
      type,
    );
}

export const decimal = orText(DECIMAL, Number);
/** `5%` is 5. */
export const percentage = orText(PERCENTAGE, (text) => Number(text.replace('%', '')));
const bytes = orText(SIZE, parseSize);
const gibibytes = orText(GIBIBYTES, (text) =>
  DECIMAL.test(text) ? Number(text) : Number(parseSize(text)) / GIB,
);

/** `write,read` of a command line. PowerShell gives npm's script for it `write read`. */
function list(value: readonly string[] | string | undefined): unknown {
  return typeof value === 'string' ? value.trim().split(/\s*,\s*|\s+/) : value;
}

const NUL = '\0';
export const MOST_PERCENT = 100;

/** Off unless it is set. */
export const toggle = z.boolean().default(false);

/** The benchmark's options: their names, types, defaults and bounds. */
export const optionsSchema = z
  .strictObject({
    dir: z
      .string()
      .min(1)
      .refine((path) => !path.includes(NUL))
      .optional(),
    size: gibibytes(z.number().positive().max(MAX_SIZE_GIB).optional()),
    threads: decimal(z.int().min(1).max(MAX_THREADS).optional()),
    runs: decimal(z.int().min(1).default(DEFAULTS.runs)),
    seconds: decimal(z.number().min(0).default(DEFAULTS.seconds)),
    iopsDuration: decimal(z.number().positive().max(MAX_DURATION_SECONDS).default(DEFAULTS.iopsDuration)),
    blockSize: bytes(
      z
        .int()
        .min(BLOCK_UNIT_BYTES)
        .max(MAX_TRANSFER_BYTES)
        .multipleOf(BLOCK_UNIT_BYTES)
        .default(DEFAULTS.blockSize),
    ),
    ioSize: bytes(z.int().min(1).max(MAX_TRANSFER_BYTES).default(DEFAULTS.ioSize)),
    seed: decimal(
      z
        .int()
        .min(0)
        .default(() => Math.floor(Math.random() * 2 ** 32)),
    ),
    cache: z.enum(CACHE_MODES).default(DEFAULTS.cache),
    direct: toggle,
    fsync: toggle,
    oneFile: toggle,
    sharedFile: toggle,
    sharedDir: toggle,
    readOwnFiles: toggle,
    stonewall: decimal(z.number().positive().max(MAX_STONEWALL_SECONDS).optional()),
    unique: toggle,
    verify: toggle,
    compressible: percentage(z.number().min(0).max(MOST_PERCENT).default(DEFAULTS.compressible)),
    untilStable: percentage(z.number().positive().max(MOST_PERCENT).optional()),
    maxRuns: decimal(z.int().min(LEAST_STABLE_RUNS).default(DEFAULTS.maxRuns)),
    stallTimeout: decimal(z.number().min(0).max(MAX_DURATION_SECONDS).default(DEFAULTS.stallTimeout)),
    barrierTimeout: decimal(z.number().positive().max(MAX_DURATION_SECONDS).default(DEFAULTS.barrierTimeout)),
    phases: z.preprocess(
      list,
      z
        .array(z.enum(PHASE_NAMES))
        .min(1)
        .refine((names) => new Set(names).size === names.length)
        .default([...DEFAULTS.phases]),
    ),
    seeks: decimal(z.int().min(1).max(MAX_SEEKS).default(DEFAULTS.seeks)),
    seekThreads: decimal(z.int().min(1).max(MAX_THREADS).optional()),
    dataFiles: decimal(z.int().min(1).max(MAX_VOLUMES).default(DEFAULTS.dataFiles)),
    byteSize: bytes(z.int().min(1).optional()),
    byteMode: z.enum(BYTE_MODES).default(DEFAULTS.byteMode),
    fsyncPerWrite: toggle,
    files: decimal(z.int().min(1).max(MAX_FILES).default(DEFAULTS.files)),
    fileKind: z.enum(FILE_KINDS).default(DEFAULTS.fileKind),
    fileSize: bytes(z.int().min(0).max(MAX_TRANSFER_BYTES).default(DEFAULTS.fileSize)),
    fileMinSize: bytes(z.int().min(0).max(MAX_TRANSFER_BYTES).default(DEFAULTS.fileMinSize)),
    fileBlockSize: bytes(z.int().min(1).max(MAX_TRANSFER_BYTES).optional()),
    directories: decimal(z.int().min(0).max(MAX_DIRECTORIES).default(DEFAULTS.directories)),
    label: z
      .string()
      .min(1)
      .refine((name) => !/[\r\n\0]/.test(name))
      .optional(),
  })
  .refine(({ fileMinSize, fileSize }) => fileMinSize <= fileSize, { path: ['fileMinSize'] });

/** What a user or a program passes: every option may be left out, and numbers may be text. */
export type OptionsInput = Readonly<Partial<z.input<typeof optionsSchema>>>;

/** Validated and complete: blockSize and ioSize in bytes, size in GiB, the rest in the unit of its flag. */
export type Options = z.output<typeof optionsSchema>;
