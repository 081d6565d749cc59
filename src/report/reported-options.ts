import { getPhase } from '../../workers/phases/phase-catalogue.js';
import { BESIDE_SIGN, type OptionName } from '../options/option-catalogue.js';
import type { Options } from '../options/options-schema.js';
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

/** Omits the settings that the step takes from the other options. */
function formatStep(step: ReportedStep, options: Report['options']): string {
  const { name, phase, threads, engine, depth, ioBytes, mixPercent, syncPerWrite, seconds, maxBytes } = step;
  const { intervalSeconds, pauseSeconds } = step;
  const { ioUnit, dataset } = getPhase(phase);
  const hasOwnLoad = engine !== options.engine || depth !== options.depth;
  const parts = [
    phase,
    `name=${name}`,
    dataset === 'data' && `threads=${threads}`,
    dataset === 'data' && hasOwnLoad && `engine=${engine},depth=${depth}`,
    ioUnit !== 'tool-calls' && `${ioUnit === 'random-blocks' ? 'io-size' : 'block-size'}=${ioBytes}`,
    phase === 'random' && `mix=${mixPercent}`,
    step.direct !== options.direct && `direct=${step.direct}`,
    step.fsync !== options.fsync && `fsync=${step.fsync}`,
    syncPerWrite !== null && `sync-per-write=${syncPerWrite}`,
    intervalSeconds !== undefined && `interval=${intervalSeconds}`,
    pauseSeconds !== undefined && `pause=${pauseSeconds}`,
    seconds !== null && `seconds=${seconds}`,
    maxBytes !== null && `size=${maxBytes}B`,
  ];
  return parts.filter(Boolean).join(',');
}
