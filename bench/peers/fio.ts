import { readdir } from 'node:fs/promises';
import { z } from 'zod';
import { runChild } from '../child.js';
import { installedVersion } from './installed.js';
import type { Peer, Work } from './peer.js';

const direction = z.object({
  io_bytes: z.number(),
  /** Of the job that took longest, in milliseconds. */
  runtime: z.number(),
  iops: z.number(),
});

/** group_reporting makes one job of all threads. */
const document = z.object({ jobs: z.tuple([z.object({ read: direction, write: direction })]) });

const name = 'fio';
const version = (signal: AbortSignal) => installedVersion(['fio', '--version'], signal);

/** Its random offsets are multiples of the operation's size, as is its custom. */
export const fio: Peer = {
  name,
  version,
  async measure(work, directory, signal) {
    const written = await step(work, directory, signal, writeArgs(work));
    const read = await step(work, directory, signal, ['--rw=read', `--bs=${work.blockSizeBytes}`]);
    const random = await step(work, directory, signal, randomArgs(work));
    return {
      write: megabytesPerSecond(written.write, work),
      read: megabytesPerSecond(read.read, work),
      iops: random.read.iops + random.write.iops,
    };
  },
};

/** At any byte, as gobonnie and gobonniego do it: one in eight operations of 512 bytes then takes two pages. */
export const fioAtAnyByte: Peer = {
  name: `${name} --blockalign=1`,
  version,
  async measure(work, directory, signal) {
    await step(work, directory, signal, writeArgs(work));
    const random = await step(work, directory, signal, [...randomArgs(work), '--blockalign=1']);
    return { iops: random.read.iops + random.write.iops };
  },
};

/**
 * Each step works on the files that the first one wrote. It runs in their directory, because where something that
 * is no regular file has the job's name (here: the folder bench/), fio makes that name the one file of all threads.
 */
async function step(work: Work, directory: string, signal: AbortSignal, args: readonly string[]) {
  const { stdout } = await runChild(['fio', ...commonArgs(work), ...args], signal, directory);
  const files = await readdir(directory);
  if (files.length !== work.threads)
    throw new Error(`fio has ${files.length} files for ${work.threads} threads`);
  return document.parse(JSON.parse(stdout)).jobs[0];
}

function commonArgs({ threads, sizeBytes }: Work): string[] {
  return [
    ...['--name=bench', `--size=${sizeBytes / threads}`, `--numjobs=${threads}`],
    ...['--thread', '--ioengine=psync', '--invalidate=0', '--group_reporting', '--output-format=json'],
  ];
}

/**
 * The files are made as they are opened and nothing is laid out before; the open is in fio's clock, as it is in
 * gobonnie's. Without scrambling fio writes one buffer again and again, as gobonnie does.
 */
function writeArgs({ blockSizeBytes }: Work): string[] {
  const asGobonnieDoes = ['--create_on_open=1', '--fallocate=none', '--scramble_buffers=0'];
  return ['--rw=write', `--bs=${blockSizeBytes}`, ...asGobonnieDoes];
}

function randomArgs({ ioSizeBytes, iopsDurationSeconds }: Work): string[] {
  return [
    ...['--rw=randrw', '--rwmixread=90', `--bs=${ioSizeBytes}`],
    ...['--norandommap', '--random_generator=tausworthe64'],
    ...['--time_based', `--runtime=${iopsDurationSeconds}`],
  ];
}

/** As gobonnie counts: all bytes over the time of the thread that took longest. */
function megabytesPerSecond({ io_bytes, runtime }: z.infer<typeof direction>, { sizeBytes }: Work): number {
  if (io_bytes !== sizeBytes) throw new Error(`fio moved ${io_bytes} bytes instead of ${sizeBytes}`);
  return io_bytes / 1000 / runtime;
}
