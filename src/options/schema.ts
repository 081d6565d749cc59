import * as z from 'zod';
import { parseSize } from '../text/size.js';
import {
  BLOCK_UNIT_BYTES,
  CACHE_MODES,
  DEFAULTS,
  LEAST_STABLE_RUNS,
  MAX_DURATION_SECONDS,
  MAX_SIZE_GIB,
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
export const BYTES = /^(\d+)([kmgKMG]?)$/;

/** A command line passes text, a program numbers. Text that is not a number stays as it is and is refused. */
function decimal(value: number | string | undefined): unknown {
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
}

/** `5%` is 5. */
export function percentage(value: number | string | undefined): unknown {
  return typeof value === 'string' && PERCENTAGE.test(value) ? Number(value.replace('%', '')) : value;
}

function bytes(value: number | string | undefined): unknown {
  return typeof value === 'string' && BYTES.test(value) ? parseSize(value) : value;
}

/** `write,read` of a command line. */
function list(value: readonly string[] | string | undefined): unknown {
  return typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value;
}

const wholeBytes = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const NUL = '\0';
const MOST_PERCENT = 100;

/** Off unless it is set. */
const toggle = z.boolean().default(false);

/** The benchmark's options: their names, types, defaults and bounds. */
export const optionsSchema = z
  .strictObject({
    dir: z
      .string()
      .min(1)
      .refine((path) => !path.includes(NUL))
      .optional(),
    size: z.preprocess(decimal, z.number().positive().max(MAX_SIZE_GIB).optional()),
    threads: z.preprocess(decimal, z.int().min(1).max(MAX_THREADS).optional()),
    runs: z.preprocess(decimal, z.int().min(1).default(DEFAULTS.runs)),
    seconds: z.preprocess(decimal, z.number().min(0).default(DEFAULTS.seconds)),
    iopsDuration: z.preprocess(
      decimal,
      z.number().positive().max(MAX_DURATION_SECONDS).default(DEFAULTS.iopsDuration),
    ),
    blockSize: z.preprocess(
      bytes,
      z
        .int()
        .min(BLOCK_UNIT_BYTES)
        .max(MAX_TRANSFER_BYTES)
        .multipleOf(BLOCK_UNIT_BYTES)
        .default(DEFAULTS.blockSize),
    ),
    ioSize: z.preprocess(bytes, z.int().min(1).max(MAX_TRANSFER_BYTES).default(DEFAULTS.ioSize)),
    seed: z.preprocess(
      decimal,
      z
        .int()
        .min(0)
        .default(() => Math.floor(Math.random() * 2 ** 32)),
    ),
    cache: z.enum(CACHE_MODES).default(DEFAULTS.cache),
    direct: toggle,
    fsync: toggle,
    oneFile: toggle,
    unique: toggle,
    verify: toggle,
    compressible: z.preprocess(
      percentage,
      z.number().min(0).max(MOST_PERCENT).default(DEFAULTS.compressible),
    ),
    untilStable: z.preprocess(percentage, z.number().positive().max(MOST_PERCENT).optional()),
    maxRuns: z.preprocess(decimal, z.int().min(LEAST_STABLE_RUNS).default(DEFAULTS.maxRuns)),
    stallTimeout: z.preprocess(
      decimal,
      z.number().min(0).max(MAX_DURATION_SECONDS).default(DEFAULTS.stallTimeout),
    ),
    phases: z.preprocess(
      list,
      z
        .array(z.enum(PHASE_NAMES))
        .min(1)
        .refine((names) => new Set(names).size === names.length)
        .default([...DEFAULTS.phases]),
    ),
    seeks: z.preprocess(decimal, z.int().min(1).max(MAX_SEEKS).default(DEFAULTS.seeks)),
    seekers: z.preprocess(decimal, z.int().min(1).max(MAX_THREADS).optional()),
    volumes: z.preprocess(decimal, z.int().min(1).max(MAX_VOLUMES).default(DEFAULTS.volumes)),
    byteSize: z.preprocess(bytes, wholeBytes.min(1).optional()),
    byteMode: z.enum(BYTE_MODES).default(DEFAULTS.byteMode),
    syncWrites: toggle,
    files: z.preprocess(decimal, z.int().min(1).max(MAX_FILES).default(DEFAULTS.files)),
    fileKind: z.enum(FILE_KINDS).default(DEFAULTS.fileKind),
    fileSize: z.preprocess(bytes, wholeBytes.max(MAX_TRANSFER_BYTES).default(DEFAULTS.fileSize)),
    fileMinSize: z.preprocess(bytes, wholeBytes.max(MAX_TRANSFER_BYTES).default(DEFAULTS.fileMinSize)),
    fileBlockSize: z.preprocess(bytes, wholeBytes.min(1).max(MAX_TRANSFER_BYTES).optional()),
    directories: z.preprocess(decimal, z.int().min(0).max(MAX_DIRECTORIES).default(DEFAULTS.directories)),
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
