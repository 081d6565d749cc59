import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { runChild } from '../harness/child.js';
import type { BenchmarkedProgram, BlockWork } from './benchmarked-program.js';
import { queryInstalledVersion } from './installed-version.js';

const direction = z.object({
  io_bytes: z.number(),
  /** Duration of the slowest job in milliseconds. */
  runtime: z.number(),
  iops: z.number(),
});

/** One job, because --group_reporting merges all threads. */
const document = z.object({ jobs: z.tuple([z.object({ read: direction, write: direction })]) });

const name = 'fio';
const version = (signal: AbortSignal) => queryInstalledVersion(['fio', '--version'], signal);

/** fio with random offsets in multiples of the operation size: its default, and gobonnie's with --direct. */
export const fioProgram: BenchmarkedProgram = {
  name,
  version,
  supports: () => true,
  async measure(work, directory, signal) {
    const written = await runStep(work, directory, signal, writeArgs(work));
    await syncFiles(directory);
    const read = await runStep(work, directory, signal, ['--rw=read', `--bs=${work.blockSizeBytes}`]);
    const random = await runStep(work, directory, signal, randomArgs(work));
    return {
      write: megabytesPerSecond(written.write, work),
      read: megabytesPerSecond(read.read, work),
      iops: random.read.iops + random.write.iops,
    };
  },
};

/**
 * fio with random offsets at any byte, like gobonnie and gobonniego: one in eight operations of 512 bytes then touches
 * two pages. O_DIRECT does not allow such offsets.
 */
export const fioUnalignedProgram: BenchmarkedProgram = {
  name: `${name} --blockalign=1`,
  version,
  supports: ({ direct, asProcesses }) => !direct && !asProcesses,
  async measure(work, directory, signal) {
    await runStep(work, directory, signal, writeArgs(work));
    const random = await runStep(work, directory, signal, [...randomArgs(work), '--blockalign=1']);
    return { iops: random.read.iops + random.write.iops };
  },
};

/**
 * Runs a step on the files of the first step, in their directory: if the current directory has another entry with the
 * job's name (the folder bench/, for example), fio uses that as the file of all threads.
 */
async function runStep(work: BlockWork, directory: string, signal: AbortSignal, args: readonly string[]) {
  const { stdout } = await runChild(['fio', ...commonArgs(work), ...args], signal, directory);
  const files = await readdir(directory);
  if (files.length !== work.threads)
    throw new Error(`fio has ${files.length} files for ${work.threads} threads`);
  return document.parse(JSON.parse(stdout)).jobs[0];
}

/**
 * Syncs untimed between write and read, like gobonnie. Otherwise the device would still be writing during the read.
 */
async function syncFiles(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const file = await open(join(directory, name), 'r+');
    await file.sync().finally(() => file.close());
  }
}

function commonArgs({ threads, asProcesses, sizeBytes, direct }: BlockWork): string[] {
  const args = ['--name=bench', `--size=${sizeBytes / threads}`, `--numjobs=${threads}`];
  args.push('--ioengine=psync', '--invalidate=0', '--group_reporting', '--output-format=json');
  if (!asProcesses) args.push('--thread');
  if (direct) args.push('--direct=1');
  return args;
}

/**
 * Makes fio create the files when it opens them, without allocating space first. Unlike gobonnie, fio times this open,
 * but it takes less than the millisecond of fio's clock. Without scrambling, fio repeats one buffer, like gobonnie.
 */
function writeArgs({ blockSizeBytes }: BlockWork): string[] {
  const sameAsGobonnie = ['--create_on_open=1', '--fallocate=none', '--scramble_buffers=0'];
  return ['--rw=write', `--bs=${blockSizeBytes}`, ...sameAsGobonnie];
}

function randomArgs({ ioSizeBytes, iopsDurationSeconds }: BlockWork): string[] {
  return [
    '--rw=randrw',
    '--rwmixread=90',
    `--bs=${ioSizeBytes}`,
    '--norandommap',
    '--random_generator=tausworthe64',
    '--time_based',
    `--runtime=${iopsDurationSeconds * 1000}ms`,
  ];
}

/** Computes the rate like gobonnie: all bytes divided by the time of the slowest thread. */
function megabytesPerSecond(
  { io_bytes, runtime }: z.infer<typeof direction>,
  { sizeBytes }: BlockWork,
): number {
  if (io_bytes !== sizeBytes) throw new Error(`fio moved ${io_bytes} bytes instead of ${sizeBytes}`);
  return io_bytes / 1000 / runtime;
}
