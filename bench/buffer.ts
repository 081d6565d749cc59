import { z } from 'zod';
import { alternate, contender, seriesOf } from './alternate.js';
import type { Bench } from './bench.js';
import { runChild } from './child.js';
import { GIB } from './gib.js';
import { inRoom } from './lab.js';
import { gobonnieCommand } from './peers/gobonnie.js';
import type { Room } from './peers/peer.js';
import type { Target } from './row.js';

const room: Room = { place: 'memory', sizeBytes: GIB };

const common = { name: 'buffer', unit: 'MB/s', peer: null };
const putc = { ...common, work: 'putc unlocked, 1 thread, tmpfs' };
const getc = { ...common, work: 'getc unlocked, 1 thread, tmpfs' };

/** Byte by byte through a buffer. Bray's Bonnie does it at 208 and 518 MB/s, in C, where these bounds are from. */
export const buffer: Bench = {
  subjects: [putc, getc],
  async run(lab) {
    const ours = contender('gobonnie', () =>
      inRoom(room, lab, (directory) => megabytesPerSecond(directory, lab.signal)),
    );
    await alternate([ours], lab.rounds, lab);
    return [
      { ...putc, ours: seriesOf(ours, (sample) => sample.putc), target: atLeast(200) },
      { ...getc, ours: seriesOf(ours, (sample) => sample.getc), target: atLeast(500) },
    ];
  },
};

function atLeast(limit: number): Target {
  return { of: 'median', bound: 'at least', limit };
}

const rate = z.object({ bytesPerSecond: z.number().positive() });
/** The part of gobonnie's report that is looked at. */
const document = z.object({ runs: z.tuple([z.object({ measurements: z.tuple([rate, rate]) })]) });

async function megabytesPerSecond(directory: string, signal: AbortSignal) {
  const { stdout } = await runChild(
    gobonnieCommand(
      ...['--dir', directory, '--size', `${room.sizeBytes / GIB}`, '--threads', '1', '--runs', '1'],
      ...['--phases', 'putc,getc', '--byte-mode', 'unlocked', '--format', 'report'],
    ),
    signal,
  );
  const [putc, getc] = document.parse(JSON.parse(stdout)).runs[0].measurements;
  return { putc: putc.bytesPerSecond / 1e6, getc: getc.bytesPerSecond / 1e6 };
}
