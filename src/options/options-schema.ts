import nodePath from 'node:path';
import * as z from 'zod';
import { isToolDataset } from '../../workers/phases/phase.js';
import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { optionError } from '../errors.js';
import { display } from '../text/escape.js';
import { flag, msg, toCamelCase, toKebabCase } from '../text/message-template.js';
import { formatShortSize } from '../text/units.js';
import {
  blockBytes,
  duration,
  fromDecimal,
  fromGibibytes,
  fromPercentage,
  fromSize,
  fromTime,
  inBounds,
  percentage,
  realInBounds,
  sizeGib,
  toggle,
} from './field-schemas.js';
import {
  BESIDE_NAME,
  BESIDE_SIGN,
  CACHE_MODES,
  ENGINES,
  FILE_KINDS,
  MAX_DURATION_SECONDS,
  PHASE_NAMES,
  optionCatalogue as rows,
} from './option-catalogue.js';

/**
 * The phases of --step. `write-new` and `fill` create data, `first-read` and `second-read` read existing files, and the others
 * use data that `fill` or the run itself has written before.
 */
export const STEP_PHASES = [
  'read',
  'write',
  'write-new',
  'rewrite',
  'random',
  'fill',
  'first-read',
  'second-read',
  'open',
  'commit-etcd',
  'commit-etcd-overwrite',
  'commit-wal',
  'commit-journal',
] as const;
/** The phases that continue until the step beside which they run ends. */
const BACKGROUND_PHASES = ['read', 'write', 'rewrite', 'random'] as const;
/** How to sync after every write: with a call, or by opening the file with O_DSYNC or O_SYNC. */
export const SYNC_METHODS = ['fsync', 'fdatasync', 'o_dsync', 'o_sync'] as const;

export const interval = z.number().min(0.001).max(3600);
export const pause = z.number().min(0).max(MAX_DURATION_SECONDS);

const path = z
  .string()
  .min(1)
  .refine((text) => !text.includes('\0'));

/** Splits `/srv:/var/lib`, like PATH. */
function splitPaths(value: unknown): unknown {
  return typeof value === 'string' ? value.split(nodePath.delimiter) : value;
}

/** The settings of every step. */
const stepFields = {
  /** The step's name in results and conditions. */
  name: z
    .string()
    .regex(/^\w[\w.-]*$/)
    .optional(),
  threads: fromDecimal(inBounds(rows.threads).optional()),
  depth: fromDecimal(inBounds(rows.depth).optional()),
  engine: z.enum(ENGINES).optional(),
  blockSize: fromSize(blockBytes.optional()),
  ioSize: fromSize(inBounds(rows.ioSize).optional()),
  mix: fromPercentage(percentage.optional()),
  direct: z.boolean().optional(),
  fsync: z.boolean().optional(),
  syncPerWrite: z.enum(SYNC_METHODS).optional(),
  /** The time from the start of an operation to the start of its thread's next operation, in seconds. */
  interval: fromTime(interval.optional()),
};

const backgroundSchema = z.strictObject({ phase: z.enum(BACKGROUND_PHASES), ...stepFields });

/** One step of `steps`: a phase, and the options that differ from the run's options. */
const stepSchema = z.strictObject({
  phase: z.enum(STEP_PHASES),
  ...stepFields,
  /** The files or directories of `first-read` and `second-read`. */
  paths: z.preprocess(splitPaths, z.array(path).min(1).optional()),
  /** The time without I/O before the step, in seconds. */
  pause: fromTime(pause.optional()),
  /** The duration of a random step; the time limit of the other steps. */
  seconds: fromTime(duration.optional()),
  /** The maximum amount of data that the step moves. */
  size: fromGibibytes(sizeGib.optional()),
  /** The steps that run beside it, from before its start until after its end. */
  beside: z.array(backgroundSchema).min(1).optional(),
});

/** The settings of a step, and of a step beside another, by their names in text. */
export const STEP_SETTINGS = settingNames(stepSchema.shape);
export const BESIDE_SETTINGS = settingNames(backgroundSchema.shape);

function settingNames({ phase: _, beside: __, ...settings }: Readonly<Record<string, z.ZodType>>) {
  return Object.keys(settings).map(toKebabCase);
}

type ParsedStep = z.output<typeof stepSchema>;
export type StepInput = Readonly<z.input<typeof stepSchema>>;
export type StepOptions = Omit<ParsedStep, 'beside'>;
export interface NamedStep extends StepOptions {
  readonly name: string;
  /** The name of the step beside which it runs. */
  readonly beside?: string;
}

/** Splits a step and those beside it. The paths of first-read, which allows none beside it, may contain the sign. */
export function splitBeside(text: string): readonly string[] {
  return /^first-read\b/.test(text) ? [text] : text.split(BESIDE_SIGN);
}

/**
 * Parses the texts of a list of steps, such as `random,io-size=4k,threads=32,direct`, or `random+write` for two steps beside
 * each other. Spaces separate steps in one text. Leaves objects as they are.
 */
function parseStepTexts(value: unknown): unknown {
  if (typeof value !== 'string' && !Array.isArray(value)) return value;
  return splitSteps(value).map((one) => (typeof one === 'string' ? parseStepText(one) : one));
}

/** Splits the texts with several steps. */
export function splitSteps(value: unknown): readonly unknown[] {
  return [value]
    .flat()
    .flatMap((one: unknown) => (typeof one === 'string' ? one.trim().split(/\s+/) : [one]));
}

const SWITCH_VALUES: Readonly<Record<string, boolean>> = { true: true, false: false };

function parseStepText(text: string): unknown {
  const [step = '', ...beside] = splitBeside(text);
  return { ...parseSettings(step), ...(beside.length > 0 && { beside: beside.map(parseSettings) }) };
}

/** A word without a value is a switch. */
function parseSettings(text: string): object {
  const [phase = '', ...settings] = text.split(',');
  const entries = settings.map((setting): [string, unknown] => {
    const [, name = setting, value] = /^([^=]*)=(.*)$/s.exec(setting) ?? [];
    const key = toCamelCase(name);
    return [key, value === undefined ? true : (SWITCH_VALUES[value] ?? value)];
  });
  entries.unshift(['phase', phase]);
  const keys = entries.map(([key]) => key);
  const repeated = keys.find((key, at) => keys.indexOf(key) !== at);
  if (repeated !== undefined)
    throw optionError(
      msg`${flag('steps')}: ${display(toKebabCase(repeated))} is set twice in ${display(text)}`,
      'set it once',
    );
  return Object.fromEntries(entries);
}

/** Splits `write,read`. PowerShell turns that into `write read` for npm's script. */
function splitList(value: readonly string[] | string | undefined): unknown {
  return typeof value === 'string' ? value.trim().split(/\s*,\s*|\s+/) : value;
}

const name = z
  .string()
  .min(1)
  .refine((text) => !/[\r\n\0]/.test(text));
const seed = z.int().min(0);
const phases = z.array(z.enum(PHASE_NAMES)).refine((names) => new Set(names).size === names.length);

export const optionFields = z.strictObject({
  dir: path.optional(),
  size: fromGibibytes(sizeGib.optional()),
  threads: fromDecimal(inBounds(rows.threads).optional()),
  depth: fromDecimal(inBounds(rows.depth).default(rows.depth.default)),
  engine: z.enum(ENGINES).default(rows.engine.default),
  runs: fromDecimal(inBounds(rows.runs).default(rows.runs.default)),
  seconds: fromDecimal(realInBounds(rows.seconds).default(rows.seconds.default)),
  iopsDuration: fromDecimal(duration.default(rows.iopsDuration.default)),
  blockSize: fromSize(blockBytes.default(rows.blockSize.default)),
  ioSize: fromSize(inBounds(rows.ioSize).default(rows.ioSize.default)),
  mix: fromPercentage(percentage.default(rows.mix.default)),
  seed: fromDecimal(seed.default(() => Math.floor(Math.random() * 2 ** 32))),
  cache: z.enum(CACHE_MODES).default(rows.cache.default),
  direct: toggle,
  noFsync: toggle,
  oneFile: toggle,
  sharedFile: toggle,
  sharedDir: toggle,
  readOwnFiles: toggle,
  stonewall: fromDecimal(duration.optional()),
  unique: toggle,
  verify: toggle,
  compressible: fromPercentage(percentage.default(rows.compressible.default)),
  untilStable: fromPercentage(realInBounds(rows.untilStable).optional()),
  maxRuns: fromDecimal(inBounds(rows.maxRuns).default(rows.maxRuns.default)),
  stallTimeout: fromDecimal(realInBounds(rows.stallTimeout).default(rows.stallTimeout.default)),
  barrierTimeout: fromDecimal(duration.default(rows.barrierTimeout.default)),
  phases: z.preprocess(splitList, phases.default([...rows.phases.default])),
  steps: z.preprocess(parseStepTexts, z.array(stepSchema).min(1).optional()),
  seeks: fromDecimal(inBounds(rows.seeks).default(rows.seeks.default)),
  seekThreads: fromDecimal(inBounds(rows.seekThreads).optional()),
  dataFiles: fromDecimal(inBounds(rows.dataFiles).default(rows.dataFiles.default)),
  byteSize: fromSize(inBounds(rows.byteSize).optional()),
  fsyncPerWrite: toggle,
  files: fromDecimal(inBounds(rows.files).default(rows.files.default)),
  fileKind: z.enum(FILE_KINDS).default(rows.fileKind.default),
  fileSize: fromSize(inBounds(rows.fileSize).default(rows.fileSize.default)),
  fileMinSize: fromSize(inBounds(rows.fileMinSize).default(rows.fileMinSize.default)),
  fileBlockSize: fromSize(inBounds(rows.fileBlockSize).optional()),
  directories: fromDecimal(inBounds(rows.directories).default(rows.directories.default)),
  packages: fromDecimal(inBounds(rows.packages).default(rows.packages.default)),
  label: name.optional(),
});

export const optionsSchema = optionFields
  .refine(({ fileMinSize, fileSize }) => fileMinSize <= fileSize, { path: ['fileMinSize'] })
  .refine(({ phases, steps }) => steps !== undefined || phases.length > 0, { path: ['phases'] })
  // A list of steps replaces the phases.
  .transform(({ steps, ...options }) => ({
    ...options,
    ...(steps && {
      phases: [],
      steps: steps.flatMap((step) => nameStep(step, options)),
    }),
  }));

/** The options that a user or a program passes: all are optional, and numbers may be text. */
export type OptionsInput = Readonly<Partial<z.input<typeof optionsSchema>>>;

/** Validated and complete: blockSize and ioSize in bytes, size in GiB, the rest in the unit of its flag. */
export interface Options extends z.output<typeof optionsSchema> {}

type NamedOptions = Readonly<Record<'blockSize' | 'ioSize' | 'mix', number>>;

/** Returns the step, and after it the steps that run beside it. */
function nameStep({ beside = [], ...step }: ParsedStep, options: NamedOptions): readonly NamedStep[] {
  const name = step.name ?? defaultName(step, options);
  const background = beside.map((own) => ({
    ...own,
    name: own.name ?? `${defaultName(own, options)}${BESIDE_NAME}${name}`,
    beside: name,
  }));
  return [{ ...step, name }, ...background];
}

/** Returns a name that describes a step's parameters: `rnd4k-t32.read`. */
function defaultName({ phase, threads, depth, ...own }: StepOptions, options: NamedOptions): string {
  const { blockSize = options.blockSize, ioSize = options.ioSize, mix = options.mix } = own;
  if (isToolDataset(getPhase(phase).dataset)) return phase;
  const size = phase === 'random' ? `rnd${formatShortSize(ioSize)}` : `seq${formatShortSize(blockSize)}`;
  const queue = depth === undefined ? '' : `q${depth}`;
  const load = threads === undefined ? queue : `${queue}t${threads}`;
  return `${size}${load && '-'}${load}.${phase === 'random' ? mixName(mix) : phase}`;
}

function mixName(readPercent: number): string {
  if (readPercent === 100) return 'read';
  return readPercent === 0 ? 'write' : `mix${readPercent}`;
}
