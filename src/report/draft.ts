import type { Plan } from '../plan.js';
import { GIB } from '../units.js';
import { version } from '../version.js';
import type { Report } from './report.js';

/** The report of a plan before anything was measured. */
export function draft({ options, machine, threads, totalBytes, directory }: Plan, startedAt: Date): Report {
  const { isRoot, target, ...host } = machine;
  const { exists, isDirectory, writable, ...place } = target;
  return {
    schema: 'gobonnie/1',
    version,
    startedAt: startedAt.toISOString(),
    options: {
      threads,
      sizeGib: options.size ?? totalBytes / GIB,
      sizeBytes: totalBytes,
      runs: options.runs,
      minimumSeconds: options.seconds,
      iopsDurationSeconds: options.iopsDuration,
      blockSizeBytes: options.blockSize,
      ioSizeBytes: options.ioSize,
      seed: options.seed,
    },
    machine: host,
    target: { ...place, scratchDirectory: directory },
    runs: [],
    warnings: [],
    outcome: { state: 'completed' },
  };
}
