import { type OptionName, optionCatalogue } from '../options/option-catalogue.js';
import type { Report, ReportedStep } from './schema/report.js';

/**
 * Returns the options of a report in the form that a run takes. Null for an option that was not set, or that changes no
 * result.
 */
export function usedOptions(report: Report): Readonly<Record<OptionName, string | number | boolean | null>> {
  const { options, target, cache } = report;
  const { files } = options;
  return {
    dir: target.directory,
    size: options.sizeGib || null,
    threads: options.threads,
    engine: options.engine === 'uring' ? 'uring' : null,
    depth: options.depth ?? 1,
    runs: options.runs,
    seconds: options.minimumSeconds,
    untilStable: options.untilStablePercent,
    maxRuns: options.maxRuns,
    phases: options.phases.join(',') || null,
    steps: options.steps?.map((step) => formatStep(step, options)).join(' ') ?? null,
    iopsDuration: options.iopsDurationSeconds,
    blockSize: options.blockSizeBytes,
    ioSize: options.ioSizeBytes,
    mix: options.mixPercent ?? optionCatalogue.mix.default,
    cache: cache.requested,
    direct: options.direct,
    noFsync: !options.fsync,
    oneFile: options.oneFile,
    sharedFile: options.sharedFile ?? false,
    sharedDir: options.sharedDir ?? false,
    readOwnFiles: options.readOwnFiles ?? false,
    stonewall: options.stonewallSeconds ?? null,
    unique: options.unique,
    verify: options.verify,
    compressible: options.compressiblePercent,
    seeks: options.seeks,
    seekThreads: options.seekThreads,
    dataFiles: options.dataFilesPerThread,
    byteSize: options.perByteBytes === options.sizeBytes ? null : options.perByteBytes,
    fsyncPerWrite: options.fsyncPerWrite,
    files: files.count,
    fileKind: files.kind,
    fileSize: files.maxBytes,
    fileMinSize: files.minBytes,
    fileBlockSize: files.blockBytes === options.blockSizeBytes ? null : files.blockBytes,
    directories: files.directories,
    packages: options.packages ?? optionCatalogue.packages.default,
    seed: options.seed,
    // These options change no result.
    label: null,
    stallTimeout: null,
    barrierTimeout: null,
  };
}

/** Omits what the step takes from the other options. */
function formatStep(step: ReportedStep, options: Report['options']): string {
  const { name, phase, threads, engine, depth, ioBytes, mixPercent, syncPerWrite, seconds, maxBytes } = step;
  const hasOwnLoad = engine !== options.engine || depth !== options.depth;
  const isRandom = phase === 'random';
  const parts = [
    phase,
    `name=${name}`,
    `threads=${threads}`,
    hasOwnLoad && `engine=${engine},depth=${depth}`,
    `${isRandom ? 'io-size' : 'block-size'}=${ioBytes}`,
    isRandom && `mix=${mixPercent}`,
    step.direct !== options.direct && `direct=${step.direct}`,
    step.fsync !== options.fsync && `fsync=${step.fsync}`,
    syncPerWrite !== null && `sync-per-write=${syncPerWrite}`,
    `seconds=${seconds}`,
    maxBytes !== null && `size=${maxBytes}B`,
  ];
  return parts.filter(Boolean).join(',');
}
