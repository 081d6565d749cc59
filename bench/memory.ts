import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { alternate, type Contender, contender, seriesOf } from './alternate.js';
import type { Bench } from './bench.js';
import { CACHED } from './cached.js';
import { startChild, success } from './child.js';
import { GIB } from './gib.js';
import { inRoom, type Lab } from './lab.js';
import { workCommand } from './peers/gobonnie.js';
import type { MeasuredRow } from './row.js';
import { Unavailable } from './unavailable.js';

type Peak = { readonly peakMegabytes: number };
const megabytesOf = ({ peakMegabytes }: Peak) => peakMegabytes;

const POLL_MS = 5;

/** What the main thread may take, and each worker. */
const BASE_MEGABYTES = 70;
const THREAD_MEGABYTES = 10;

/** How far apart two runs that differ in size alone may lie and still be the same. */
const SAME_RATIO = 1.1;

const few = { threads: 2, sizeBytes: GIB / 4 };
const many = { threads: 64, sizeBytes: GIB / 4 };
const manyOnMore = { threads: 64, sizeBytes: GIB };
type Load = typeof few;

const subjectOf = (load: Load) => ({ name: 'memory', work: `peak, ${nameOf(load)}` });

/** The most memory that a whole run has held, and that four times the data do not ask for more. */
export const memory: Bench = {
  subjects: [few, many, manyOnMore].map(subjectOf),
  async run(lab) {
    const [onFew, onMany, onManyOnMore] = [peak(few, lab), peak(many, lab), peak(manyOnMore, lab)] as const;
    await alternate([onFew, onMany, onManyOnMore], lab.rounds, lab);
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

function peak(load: Load, lab: Lab): Contender<Peak> {
  const work = { ...CACHED, ...load, iopsDurationSeconds: 1 };
  return contender(nameOf(load), () =>
    inRoom(work, lab, async (directory) => {
      const command = workCommand(work, directory);
      const child = startChild(command, lab.signal);
      let peakMegabytes = 0;
      while (child.isRunning()) {
        peakMegabytes = highWaterMegabytes(child.pid) ?? peakMegabytes;
        await setTimeout(POLL_MS);
      }
      await success(child, command, lab.signal);
      if (peakMegabytes === 0) throw new Unavailable('/proc/PID/status shows no VmHWM');
      return { peakMegabytes };
    }),
  );
}

/** The kernel keeps the peak itself, so that only a peak in the very last milliseconds could escape. */
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
