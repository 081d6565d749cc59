import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { GIB } from '../../src/text/units.js';
import type { Bench } from '../context.js';
import { type BenchContext, inNewDirectory } from '../context.js';
import { alternate, type Contender, contender, seriesOf } from '../measuring/alternate.js';
import { startChild, success } from '../measuring/child.js';
import { workCommand } from '../peers/gobonnie.js';
import { type MeasuredRow, Unavailable } from '../row.js';
import { CACHED } from './cached.js';

type Peak = { readonly peakMegabytes: number };
const megabytesOf = ({ peakMegabytes }: Peak) => peakMegabytes;

const POLL_MS = 5;

/** The limits for the main thread and for each worker. */
const BASE_MEGABYTES = 70;
const THREAD_MEGABYTES = 10;

/** How much the peaks of two runs that differ only in size may differ. */
const SAME_RATIO = 1.1;

const few = { threads: 2, sizeBytes: GIB / 4 };
const many = { threads: 64, sizeBytes: GIB / 4 };
const manyOnMore = { threads: 64, sizeBytes: GIB };
type Load = typeof few;

const subjectOf = (load: Load) => ({ name: 'memory', work: `peak, ${nameOf(load)}` });

/** The peak memory of a whole run, and that four times the data needs no more. */
export const memory: Bench = {
  subjects: [few, many, manyOnMore].map(subjectOf),
  async run(context) {
    const [onFew, onMany, onManyOnMore] = [
      peak(few, context),
      peak(many, context),
      peak(manyOnMore, context),
    ] as const;
    await alternate([onFew, onMany, onManyOnMore], context.rounds, context);
    return [
      rowOf(few, onFew),
      rowOf(many, onMany),
      {
        ...rowOf(manyOnMore, onManyOnMore),
        peer: seriesOf(onMany, megabytesOf),
        target: { of: 'ratio', bound: 'at most', limit: SAME_RATIO },
      },
    ];
  },
};

function rowOf(load: Load, contender: Contender<Peak>): MeasuredRow {
  return {
    ...subjectOf(load),
    unit: 'MB',
    ours: seriesOf(contender, megabytesOf),
    peer: null,
    target: { of: 'median', bound: 'at most', limit: BASE_MEGABYTES + THREAD_MEGABYTES * load.threads },
  };
}

function nameOf({ threads, sizeBytes }: Load): string {
  return `${threads} threads, ${sizeBytes / GIB} GiB`;
}

function peak(load: Load, context: BenchContext): Contender<Peak> {
  const work = { ...CACHED, ...load, iopsDurationSeconds: 1 };
  return contender(nameOf(load), () =>
    inNewDirectory(work, context, async (directory) => {
      const command = workCommand(work, directory);
      const child = startChild(command, context.signal);
      let peakMegabytes = 0;
      while (child.isRunning()) {
        peakMegabytes = highWaterMegabytes(child.pid) ?? peakMegabytes;
        await setTimeout(POLL_MS);
      }
      await success(child, command, context.signal);
      if (peakMegabytes === 0) throw new Unavailable('/proc/PID/status shows no VmHWM');
      return { peakMegabytes };
    }),
  );
}

/** The kernel records the peak, so polling can only miss one in the last milliseconds. */
function highWaterMegabytes(pid: number | undefined): number | undefined {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(statusOf(pid)) ?? [];
  return kibibytes === undefined ? undefined : (Number(kibibytes) * 1024) / 1e6;
}

/** Empty once the process is gone. */
function statusOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return '';
  }
}
