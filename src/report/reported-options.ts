import { effectiveSettings } from '../options/effective-settings.js';
import { BESIDE_SIGN, type OptionName } from '../options/option-catalogue.js';
import type { Options } from '../options/options-schema.js';
import { toKebabCase } from '../text/message-template.js';
import type { Report, ReportedStep } from './schema/report.js';

/** The options that a report repeats as they are, and their names in it. */
const REPORTED_OPTIONS = {
  runs: 'runs',
  seconds: 'minimumSeconds',
  untilStable: 'untilStablePercent',
  maxRuns: 'maxRuns',
  iopsDuration: 'iopsDurationSeconds',
  blockSize: 'blockSizeBytes',
  mix: 'mixPercent',
  direct: 'direct',
  oneFile: 'oneFile',
  sharedFile: 'sharedFile',
  sharedDir: 'sharedDir',
  readOwnFiles: 'readOwnFiles',
  stonewall: 'stonewallSeconds',
  unique: 'unique',
  verify: 'verify',
  compressible: 'compressiblePercent',
  seeks: 'seeks',
  dataFiles: 'dataFilesPerThread',
  fsyncPerWrite: 'fsyncPerWrite',
  packages: 'packages',
  seed: 'seed',
} as const satisfies { readonly [Name in OptionName]?: keyof Report['options'] };

type RepeatedName = keyof typeof REPORTED_OPTIONS;
type RepeatedOptions = Pick<Report['options'], (typeof REPORTED_OPTIONS)[RepeatedName]>;
type OptionValue = string | number | boolean | null;

const rows = Object.entries(REPORTED_OPTIONS) as [RepeatedName, keyof RepeatedOptions][];

/** Returns the options that a report has as they are. Null for an option without a value. */
export function reportOptions(options: Options): RepeatedOptions {
  const entries = rows.map(([option, key]) => [key, options[option] ?? null]);
  return Object.fromEntries(entries) as RepeatedOptions;
}

/** Returns the options that repeat the measurement of a report. Null for an option that need not be set. */
export function usedOptions({ options, target, cache }: Report): Readonly<Record<OptionName, OptionValue>> {
  const { files, blockSizeBytes, perByteBytes, sizeBytes } = options;
  const repeated = rows.map(([option, key]) => [option, options[key]]);
  return {
    dir: target.directory,
    size: options.sizeGib || null,
    threads: options.threads,
    engine: options.engine === 'threads' ? null : options.engine,
    depth: options.depth,
    ...(Object.fromEntries(repeated) as Record<RepeatedName, OptionValue>),
    phases: options.phases.join(',') || null,
    steps: options.steps ? formatSteps(options.steps, options) : null,
    ioSize: options.ioSizeBytes,
    cache: cache.requested,
    noFsync: !options.fsync,
    seekThreads: options.seekThreads,
    byteSize: perByteBytes === sizeBytes ? null : perByteBytes,
    files: files.count,
    fileKind: files.kind,
    fileSize: files.maxBytes,
    fileMinSize: files.minBytes,
    fileBlockSize: files.blockBytes === blockSizeBytes ? null : files.blockBytes,
    directories: files.directories,
    // These options change no result.
    label: null,
    stallTimeout: null,
    barrierTimeout: null,
  };
}

/** Joins the steps that run beside each other. */
function formatSteps(steps: readonly ReportedStep[], options: Report['options']): string {
  return steps
    .map((step) => (step.beside === undefined ? ' ' : BESIDE_SIGN) + formatStep(step, options))
    .join('')
    .trimStart();
}

/** Omits the settings without effect, and those that the step takes from the other options. */
function formatStep(step: ReportedStep, options: Report['options']): string {
  const { name, phase, paths, threads, ioBytes, direct, fsync, syncPerWrite, seconds, maxBytes } = step;
  const hasOwnLoad = step.engine !== options.engine || step.depth !== options.depth;
  const settings = {
    name,
    paths: paths?.join(':'),
    threads,
    ...(hasOwnLoad && { engine: step.engine, depth: step.depth }),
    ioSize: ioBytes,
    blockSize: ioBytes,
    mix: step.mixPercent,
    direct: direct === options.direct ? null : direct,
    fsync: fsync === options.fsync ? null : fsync,
    syncPerWrite,
    interval: step.intervalSeconds,
    pause: step.pauseSeconds,
    seconds,
    size: maxBytes === null ? null : `${maxBytes}B`,
  };
  const effective = effectiveSettings(phase, step.mixPercent);
  const texts = Object.entries(settings)
    .filter(([setting, value]) => value != null && effective.includes(setting))
    .map(([setting, value]) => `${toKebabCase(setting)}=${value}`);
  return [phase, ...texts].join(',');
}
