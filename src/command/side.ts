import type { CommandRun, CommandSide } from '../compare/comparison-schema.js';
import type { ComparisonSide, MetricSample } from '../compare/side.js';
import { fileServer } from '../machine/filesystem.js';
import type { Machine } from '../machine/machine-schema.js';
import type { MetricUnit } from '../report/amount.js';
import { computeStatistics } from '../report/statistics/statistics.js';

/** The metrics of a comparison of commands. Only the time decides. */
const METRICS: Readonly<Record<keyof CommandRun, { readonly name: string; readonly unit: MetricUnit }>> = {
  seconds: { name: 'time', unit: 'seconds' },
  cpuSeconds: { name: 'CPU time', unit: 'seconds' },
  systemCpuSeconds: { name: 'in system calls', unit: 'seconds' },
  ioWaitSeconds: { name: 'waits for I/O', unit: 'seconds' },
  deviceReadBytes: { name: 'device read', unit: 'bytes' },
  deviceWrittenBytes: { name: 'device written', unit: 'bytes' },
  deviceReads: { name: 'device reads', unit: 'count' },
  deviceWrites: { name: 'device writes', unit: 'count' },
  cachedShare: { name: 'read from cache', unit: 'share' },
};

/** A command in a directory. */
export interface PlannedSide {
  readonly name: CommandSide['name'];
  readonly words: readonly string[];
  readonly machine: Machine;
}

export function summarizeSide(
  { name, words, machine: { target } }: PlannedSide,
  firstRunSeconds: number,
  runs: readonly CommandRun[],
): CommandSide {
  const { directory, filesystem, device, isMemory } = target;
  const { mean, confidence95 } = computeStatistics(runs.map(({ seconds }) => seconds));
  return {
    name,
    words: [...words],
    directory,
    filesystem,
    device,
    isMemory,
    fileServer: fileServer(target),
    firstRunSeconds,
    runs: [...runs],
    meanSeconds: mean,
    confidence95,
  };
}

export function toCommandSide({ name, runs }: CommandSide): ComparisonSide {
  const metrics = Object.keys(METRICS) as (keyof CommandRun)[];
  const samples = metrics.flatMap((metric): MetricSample[] => {
    const values = runs.map((run) => run[metric]);
    const known = values.filter((value) => value !== null);
    if (known.length < values.length) return [];
    return [
      {
        ...METRICS[metric],
        better: metric === 'seconds' ? 'lower' : null,
        role: metric === 'seconds' ? 'gating' : 'informational',
        isFromDevice: true,
        values: known,
      },
    ];
  });
  return { name, samples, properties: [], timedOnlyReason: null };
}
