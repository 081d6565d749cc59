import { optionCatalogue } from '../../options/option-catalogue.js';
import { type OptionRow, toFlag } from '../../options/option-row.js';
import type { OptionsInput } from '../../options/options-schema.js';
import type { Report } from '../../report/schema/report.js';
import { quoteForShell } from '../../text/shell.js';

/** Returns the command that repeats the measurement of a report. */
export function reproductionCommand(report: Report): string {
  const rows: Readonly<Record<string, OptionRow>> = optionCatalogue;
  const flags = Object.entries(toOptionsInput(report)).flatMap(([name, value]) => {
    if (
      value === null ||
      value === undefined ||
      value === false ||
      String(value) === String(rows[name]?.default)
    )
      return [];
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
