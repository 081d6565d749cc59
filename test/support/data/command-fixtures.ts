import type { CommandComparison, CommandRun, CommandSide } from '../../../src/compare/comparison-schema.js';
import { computeStatistics } from '../../../src/report/statistics/statistics.js';

/** One side of a command's comparison, from the times of its runs. */
export function commandSide(
  directory: string,
  seconds: readonly number[],
  {
    name = directory,
    isMemory = false,
    fileServer = null,
    ...counted
  }: Partial<CommandSide & CommandRun> = {},
): CommandSide {
  const runs = seconds.map(
    (one): CommandRun => ({
      seconds: one,
      cpuSeconds: 0.5,
      systemCpuSeconds: 0.2,
      ioWaitSeconds: 0.1,
      deviceReadBytes: isMemory ? 0 : 1000,
      deviceWrittenBytes: 0,
      deviceReads: 0,
      deviceWrites: 0,
      cachedShare: 0.5,
      ...counted,
    }),
  );
  const { mean, confidence95 } = computeStatistics(seconds);
  const mounted = {
    filesystem: isMemory ? 'tmpfs' : 'ext4',
    device: isMemory ? 'tmpfs' : '/dev/vda',
    isMemory,
    fileServer,
  };
  return {
    name,
    words: ['npm', 'ci'],
    directory,
    ...mounted,
    firstRunSeconds: mean,
    runs,
    meanSeconds: mean,
    confidence95,
  };
}

export function commandComparison(sides: readonly CommandSide[]): CommandComparison {
  return {
    prepare: null,
    copied: { directory: '/home/me/app', entries: 12, bytes: 40_960, excluded: [] },
    cache: { applied: 'drop', reason: null },
    ioWaitOf: 'command',
    sides: [...sides],
  };
}
