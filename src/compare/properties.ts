import type { Results, RunResult } from '../report/results.js';
import type { Report } from '../report/schema/report.js';
import { formatBytes } from '../text/units.js';
import type { EnvironmentDifference } from './comparison-schema.js';

/** A property that should be equal when results are compared. */
export interface ComparedProperty {
  readonly name: string;
  /** Null if unknown. */
  readonly value: string | number | boolean | null;
  /** A size in bytes; a small difference does not count. */
  readonly isSize?: boolean;
  /** True if a difference is only noted and does not prevent a verdict. */
  readonly isInformational?: boolean;
}

/** Sizes that differ by less count as equal. */
const SIZE_TOLERANCE = 0.01;

/** One list for each document. */
export function comparedProperties({ report, runs }: Results): readonly (readonly ComparedProperty[])[] {
  return report ? [reportProperties(report)] : runs.map(runProperties);
}

function reportProperties({
  machine,
  target,
  options,
  cache,
  runs,
  job,
}: Report): readonly ComparedProperty[] {
  const { files } = options;
  return [
    { name: 'platform', value: `${machine.platform} ${machine.arch}` },
    // Hosted CI runners vary in these from job to job.
    { name: 'CPU', value: machine.cpuModel, isInformational: true },
    { name: 'cores', value: machine.cores, isInformational: true },
    { name: 'memory', value: machine.memoryLimitBytes, isSize: true, isInformational: true },
    { name: "Node's version", value: majorVersion(machine.nodeVersion), isInformational: true },
    { name: 'filesystem', value: target.filesystem },
    { name: 'device', value: target.device },
    { name: 'disk', value: target.disk?.model ?? null },
    { name: 'compression', value: target.compression },
    { name: 'encryption', value: target.encryption },
    { name: '--phases', value: options.phases.join(',') },
    { name: '--threads', value: options.threads },
    { name: '--size', value: options.sizeBytes, isSize: true },
    { name: '--iops-duration', value: options.iopsDurationSeconds },
    { name: '--block-size', value: options.blockSizeBytes },
    { name: '--io-size', value: options.ioSizeBytes },
    { name: '--direct', value: options.direct },
    { name: '--fsync', value: options.fsync },
    { name: '--one-file', value: options.oneFile },
    { name: 'ranks', value: job?.ranks ?? 1 },
    { name: 'hosts', value: job?.hosts.length ?? 1 },
    { name: '--shared-file', value: options.sharedFile ?? false },
    { name: '--shared-dir', value: options.sharedDir ?? false },
    { name: '--stonewall', value: options.stonewallSeconds ?? null },
    { name: "reading other hosts' files", value: job?.readSource === 'next-host' },
    { name: '--unique or --verify', value: options.unique || options.verify },
    { name: '--compressible', value: options.compressiblePercent },
    { name: '--seeks', value: options.seeks },
    { name: '--seek-threads', value: options.seekThreads },
    { name: '--data-files', value: options.dataFilesPerThread },
    { name: '--byte-size', value: describeByteSize(options.perByteBytes, options.sizeBytes), isSize: true },
    { name: '--byte-mode', value: options.byteMode },
    { name: '--fsync-per-write', value: options.fsyncPerWrite },
    { name: '--files', value: files.count },
    { name: '--file-kind', value: files.kind },
    { name: '--file-size', value: `${files.minBytes} to ${files.maxBytes}` },
    { name: '--file-block-size', value: files.blockBytes },
    { name: '--directories', value: files.directories },
    // The effect of --cache is known only after a run.
    { name: '--cache', value: runs.length === 0 ? null : cache.applied },
  ];
}

function runProperties({ sizeBytes, threads, chunkBytes }: RunResult): readonly ComparedProperty[] {
  return [
    { name: '--threads', value: threads },
    { name: '--size', value: sizeBytes, isSize: true },
    { name: '--block-size', value: chunkBytes },
  ];
}

/** Returns the properties that both sides have and that differ. */
export function diffProperties(
  before: readonly ComparedProperty[],
  after: readonly ComparedProperty[],
): EnvironmentDifference[] {
  return before.flatMap((property) => {
    const other = after.find(({ name }) => name === property.name);
    if (!other || isEquivalent(property, other)) return [];
    return [{ name: property.name, before: formatProperty(property), after: formatProperty(other) }];
  });
}

function isEquivalent({ value, isSize }: ComparedProperty, { value: other }: ComparedProperty): boolean {
  if (value === null || other === null || value === other) return true;
  if (!isSize || typeof value !== 'number' || typeof other !== 'number') return false;
  return Math.abs(value - other) <= SIZE_TOLERANCE * Math.max(value, other);
}

function formatProperty({ value, isSize }: ComparedProperty): string {
  return isSize && typeof value === 'number' ? formatBytes(value) : String(value);
}

/** All of the data is one value, whatever its size. */
function describeByteSize(bytes: number, totalBytes: number): number | string {
  return bytes === totalBytes ? 'all of the data' : bytes;
}

function majorVersion(version: string): string {
  return version.replace(/^v?(\d+).*$/s, '$1');
}
