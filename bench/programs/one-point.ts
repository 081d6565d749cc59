import { z } from 'zod';
import { GIB } from '../../src/text/units.js';
import { runChild } from '../harness/child.js';
import type { BenchmarkedProgram, ProgramGroup, Space } from './benchmarked-program.js';
import { fioProgram } from './fio.js';
import { gobonnieCommand, gobonnieProgram } from './gobonnie.js';

/** Random direct reads of 4 KiB in one file that all threads share. */
export interface PointWork extends Space {
  readonly threads: number;
  readonly seconds: number;
}

const sweepDocument = z.object({ points: z.tuple([z.object({ operationsPerSecond: z.number() })]) });
const fioDocument = z.object({ jobs: z.tuple([z.object({ read: z.object({ iops: z.number() }) })]) });

const gobonnieSweep: BenchmarkedProgram<PointWork> = {
  ...gobonnieProgram,
  supports: () => true,
  async measure({ threads, seconds, sizeBytes }, directory, signal) {
    // biome-ignore format: flags with their values
    const flags = [
      '--threads', `${threads}`, '--iops-duration', `${seconds}`, '--size', `${sizeBytes / GIB}`, '--runs', '1', '--json',
    ];
    const { stdout } = await runChild(gobonnieCommand('sweep', directory, ...flags), signal);
    return { iops: sweepDocument.parse(JSON.parse(stdout)).points[0].operationsPerSecond };
  },
};

const fioPoint: BenchmarkedProgram<PointWork> = {
  ...fioProgram,
  supports: () => true,
  async measure({ threads, seconds, sizeBytes }, directory, signal) {
    // biome-ignore format: flags with their values
    const flags = [
      '--name=point', '--filename=data', `--size=${sizeBytes}`, `--numjobs=${threads}`, '--thread', '--ioengine=psync',
      '--rw=randread', '--bs=4096', '--direct=1', '--norandommap', '--random_generator=tausworthe64', '--time_based',
      `--runtime=${seconds}`, '--group_reporting', '--output-format=json',
    ];
    const { stdout } = await runChild(['fio', ...flags], signal, directory);
    return { iops: fioDocument.parse(JSON.parse(stdout)).jobs[0].read.iops };
  },
};

/** The programs for one point of a load curve. */
export const pointPrograms: ProgramGroup<PointWork> = { ours: gobonnieSweep, theirs: [fioPoint] };
