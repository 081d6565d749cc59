import { OPTION_DEFAULTS } from '../../options/option-catalogue.js';
import { toFlag } from '../../options/option-row.js';
import type { OptionsInput } from '../../options/options-schema.js';
import type { Report } from '../../report/schema/report.js';

/** Returns the command that repeats the measurement of a report. */
export function reproductionCommand(report: Report): string {
  const defaults: Readonly<Record<string, unknown>> = {
    ...OPTION_DEFAULTS,
    phases: OPTION_DEFAULTS.phases.join(','),
  };
  const flags = Object.entries(toOptionsInput(report)).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === false || value === defaults[name]) return [];
    return value === true ? [toFlag(name)] : [toFlag(name), quoteForShell(String(value))];
  });
  return ['npx gobonnie', ...flags].join(' ');
}

/** Returns the report's options in the form that a run takes. */
function toOptionsInput({ options, target, cache }: Report): Readonly<Record<keyof OptionsInput, unknown>> {
  const { files } = options;
  return {
    dir: target.directory,
    size: options.sizeGib || null,
    threads: options.threads,
    runs: options.runs,
    seconds: options.minimumSeconds,
    untilStable: options.untilStablePercent,
    maxRuns: options.maxRuns,
    phases: options.phases.join(','),
    iopsDuration: options.iopsDurationSeconds,
    blockSize: options.blockSizeBytes,
    ioSize: options.ioSizeBytes,
    cache: cache.requested,
    direct: options.direct,
    fsync: options.fsync,
    oneFile: options.oneFile,
    sharedFile: options.sharedFile ?? false,
    sharedDir: options.sharedDir ?? false,
    readOwnFiles: options.readOwnFiles ?? false,
    stonewall: options.stonewallSeconds,
    unique: options.unique,
    verify: options.verify,
    compressible: options.compressiblePercent,
    seeks: options.seeks,
    seekThreads: options.seekThreads,
    dataFiles: options.dataFilesPerThread,
    byteSize: options.perByteBytes === options.sizeBytes ? null : options.perByteBytes,
    byteMode: options.byteMode,
    fsyncPerWrite: options.fsyncPerWrite,
    files: files.count,
    fileKind: files.kind,
    fileSize: files.maxBytes,
    fileMinSize: files.minBytes,
    fileBlockSize: files.blockBytes === options.blockSizeBytes ? null : files.blockBytes,
    directories: files.directories,
    seed: options.seed,
    // These options change no result.
    label: null,
    stallTimeout: null,
    barrierTimeout: null,
  };
}

/** Quotes text for a POSIX shell if needed. */
function quoteForShell(text: string): string {
  return /^[\w.,:/+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
