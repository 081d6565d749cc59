import { OPTION_DEFAULTS, optionCatalogue } from '../../options/option-catalogue.js';
import { toFlag } from '../../options/option-row.js';
import type { OptionsInput } from '../../options/options-schema.js';
import type { Report } from '../../report/schema/report.js';

/** Returns the command that repeats the measurement of a report. */
export function reproductionCommand(report: Report): string {
  const values: Readonly<Record<string, unknown>> = reportedOptions(report);
  const defaults: Readonly<Record<string, unknown>> = {
    ...OPTION_DEFAULTS,
    phases: OPTION_DEFAULTS.phases.join(','),
  };
  const flags = Object.keys(optionCatalogue).flatMap((name) => {
    const value = values[name] ?? false;
    if (value === false || value === defaults[name]) return [];
    return value === true ? [toFlag(name)] : [toFlag(name), quoteForShell(String(value))];
  });
  return ['npx gobonnie', ...flags].join(' ');
}

/** Returns the options in the form that a run takes. Those without an own line have the same name in a report. */
function reportedOptions({ options, target, cache }: Report) {
  const { files } = options;
  return {
    ...options,
    dir: target.directory,
    size: options.sizeGib || null,
    seconds: options.minimumSeconds,
    untilStable: options.untilStablePercent,
    phases: options.phases.join(','),
    iopsDuration: options.iopsDurationSeconds,
    blockSize: options.blockSizeBytes,
    ioSize: options.ioSizeBytes,
    cache: cache.requested,
    // Earlier versions did not report these three.
    sharedFile: options.sharedFile,
    sharedDir: options.sharedDir,
    readOwnFiles: options.readOwnFiles,
    stonewall: options.stonewallSeconds,
    compressible: options.compressiblePercent,
    dataFiles: options.dataFilesPerThread,
    byteSize: options.perByteBytes === options.sizeBytes ? null : options.perByteBytes,
    files: files.count,
    fileKind: files.kind,
    fileSize: files.maxBytes,
    fileMinSize: files.minBytes,
    fileBlockSize: files.blockBytes === options.blockSizeBytes ? null : files.blockBytes,
    directories: files.directories,
    // These options change no result.
    label: null,
    stallTimeout: null,
    barrierTimeout: null,
  } satisfies Record<keyof OptionsInput, unknown>;
}

/** Quotes text for a POSIX shell if needed. */
function quoteForShell(text: string): string {
  return /^[\w.,:/+@%-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
