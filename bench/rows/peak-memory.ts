import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { GIB } from '../../src/text/units.js';
import type { Bench } from '../bench-context.js';
import { type BenchContext, withNewDirectory } from '../bench-context.js';
import { type MeasuredRow, Unavailable } from '../bench-row.js';
import { startChild, untilSuccess } from '../harness/child.js';
import {
  collectSeries,
  createVariant,
  interleaveRounds,
  type Variant,
} from '../harness/interleave-rounds.js';
import { workCommand } from '../programs/gobonnie.js';
import { TMPFS_WORK } from './tmpfs-work.js';

type PeakMemory = { readonly peakMegabytes: number };
const toPeakMegabytes = ({ peakMegabytes }: PeakMemory) => peakMegabytes;

const POLL_MS = 5;

/** Limits for the main thread and for each worker. */
const BASE_MEGABYTES = 70;
const THREAD_MEGABYTES = 10;

/** Maximum ratio of the peaks of two runs that differ only in size. */
const MAX_RATIO = 1.1;

const fewThreads = { threads: 2, sizeBytes: GIB / 4 };
const manyThreads = { threads: 64, sizeBytes: GIB / 4 };
const manyThreadsMoreData = { threads: 64, sizeBytes: GIB };
type Load = typeof fewThreads;

const rowLabel = (load: Load) => ({ name: 'memory', work: `peak, ${describeLoad(load)}` });

/** Measures the peak memory of a whole run, and checks that four times the data needs no more. */
export const peakMemory: Bench = {
  labels: [fewThreads, manyThreads, manyThreadsMoreData].map(rowLabel),
  async run(context) {
    const fewPeaks = peakVariant(fewThreads, context);
    const manyPeaks = peakVariant(manyThreads, context);
    const moreDataPeaks = peakVariant(manyThreadsMoreData, context);
    await interleaveRounds([fewPeaks, manyPeaks, moreDataPeaks], context.rounds, context);
    return [
      buildRow(fewThreads, fewPeaks),
      buildRow(manyThreads, manyPeaks),
      {
        ...buildRow(manyThreadsMoreData, moreDataPeaks),
        peer: collectSeries(manyPeaks, toPeakMegabytes),
        target: { statistic: 'ratio', bound: 'at most', limit: MAX_RATIO },
      },
    ];
  },
};

function buildRow(load: Load, variant: Variant<PeakMemory>): MeasuredRow {
  return {
    ...rowLabel(load),
    unit: 'MB',
    ours: collectSeries(variant, toPeakMegabytes),
    peer: null,
    target: {
      statistic: 'median',
      bound: 'at most',
      limit: BASE_MEGABYTES + THREAD_MEGABYTES * load.threads,
    },
  };
}

function describeLoad({ threads, sizeBytes }: Load): string {
  return `${threads} threads, ${sizeBytes / GIB} GiB`;
}

function peakVariant(load: Load, context: BenchContext): Variant<PeakMemory> {
  const work = { ...TMPFS_WORK, ...load, iopsDurationSeconds: 1 };
  return createVariant(describeLoad(load), () =>
    withNewDirectory(work, context, async (directory) => {
      const command = workCommand(work, directory);
      const child = startChild(command, context.signal);
      let peakMegabytes = 0;
      while (child.isRunning()) {
        peakMegabytes = readPeakMegabytes(child.pid) ?? peakMegabytes;
        await setTimeout(POLL_MS);
      }
      await untilSuccess(child, command, context.signal);
      if (peakMegabytes === 0) throw new Unavailable('/proc/PID/status shows no VmHWM');
      return { peakMegabytes };
    }),
  );
}

/** Reads the peak recorded by the kernel, so polling can only miss a peak in the last milliseconds. */
function readPeakMegabytes(pid: number | undefined): number | undefined {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readStatus(pid)) ?? [];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
}

/** Returns an empty string once the process has exited. */
function readStatus(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
