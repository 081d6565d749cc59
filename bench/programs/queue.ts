import { z } from 'zod';
import { findUringProblem } from '../../src/machine/uring.js';
import { GIB, NS_PER_SECOND } from '../../src/text/units.js';
import { Unavailable } from '../bench-row.js';
import { runChild } from '../harness/child.js';
import type { BenchmarkedProgram, ProgramGroup, Space } from './benchmarked-program.js';
import { fioProgram } from './fio.js';
import { gobonnieCommand, gobonnieProgram } from './gobonnie.js';

/** Random direct reads of 4 KiB by one thread, with so many requests in flight. */
export interface QueueWork extends Space {
  readonly depth: number;
  readonly seconds: number;
}

const measurement = z.object({
  operations: z.number(),
  operationsPerSecond: z.number(),
  cpu: z.object({ userSeconds: z.number() }),
});
const report = z.object({ runs: z.tuple([z.object({ measurements: z.tuple([measurement]) })]) });
const job = z.object({
  usr_cpu: z.number(),
  read: z.object({ iops: z.number(), total_ios: z.number(), runtime: z.number() }),
});
const fioDocument = z.object({ jobs: z.tuple([job]) });

function gobonnieWith(name: string, settings: (depth: number) => string): BenchmarkedProgram<QueueWork> {
  return {
    ...gobonnieProgram,
    name,
    supports: () => true,
    async measure({ depth, seconds, sizeBytes }, directory, signal) {
      const problem = findUringProblem();
      if (problem !== null) throw new Unavailable(`io_uring cannot be used: ${problem}`);
      const step = `random,io-size=4k,mix=100,direct,seconds=${seconds},${settings(depth)}`;
      const flags = [
        '--dir',
        directory,
        '--size',
        `${sizeBytes / GIB}`,
        '--step',
        step,
        '--format',
        'report',
      ];
      const { stdout } = await runChild(gobonnieCommand(...flags), signal);
      const [{ operations, operationsPerSecond, cpu }] = report.parse(JSON.parse(stdout)).runs[0]
        .measurements;
      return {
        iops: operationsPerSecond,
        userNanoseconds: (cpu.userSeconds * NS_PER_SECOND) / operations,
      };
    },
  };
}

const fioQueue: BenchmarkedProgram<QueueWork> = {
  ...fioProgram,
  name: 'fio io_uring',
  supports: () => true,
  async measure({ depth, seconds, sizeBytes }, directory, signal) {
    // biome-ignore format: flags with their values
    const flags = [
      '--name=queue', '--filename=data', `--size=${sizeBytes}`, `--iodepth=${depth}`, '--thread', '--ioengine=io_uring',
      '--rw=randread', '--bs=4096', '--direct=1', '--norandommap', '--random_generator=tausworthe64', '--time_based',
      `--runtime=${seconds}`, '--output-format=json',
    ];
    const { stdout } = await runChild(['fio', ...flags], signal, directory);
    const [{ usr_cpu: userPercent, read }] = fioDocument.parse(JSON.parse(stdout)).jobs;
    const userMs = (userPercent / 100) * read.runtime;
    return { iops: read.iops, userNanoseconds: (userMs * 1_000_000) / read.total_ios };
  },
};

/** io_uring beside fio's, and beside as many threads. */
export const queuePrograms: ProgramGroup<QueueWork> = {
  ours: gobonnieWith('gobonnie', (depth) => `engine=uring,threads=1,depth=${depth}`),
  theirs: [fioQueue, gobonnieWith('gobonnie --engine threads', (depth) => `engine=threads,threads=${depth}`)],
};
