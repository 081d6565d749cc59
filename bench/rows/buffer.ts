import { z } from 'zod';
import { GIB } from '../../src/text/units.js';
import { type Bench, inNewDirectory } from '../context.js';
import { alternate, contender, seriesOf } from '../measuring/alternate.js';
import { runChild } from '../measuring/child.js';
import { gobonnieCommand } from '../peers/gobonnie.js';
import type { Space } from '../peers/peer.js';
import type { Target } from '../row.js';

const space: Space = { place: 'memory', sizeBytes: GIB };

const common = { name: 'buffer', unit: 'MB/s', peer: null };
const putc = { ...common, work: 'putc unlocked, 1 thread, tmpfs' };
const getc = { ...common, work: 'getc unlocked, 1 thread, tmpfs' };

/** Byte by byte through a buffer. The bounds come from Bray's Bonnie, written in C: 208 and 518 MB/s. */
export const buffer: Bench = {
  subjects: [putc, getc],
  async run(context) {
    const ours = contender('gobonnie', () =>
      inNewDirectory(space, context, (directory) => megabytesPerSecond(directory, context.signal)),
    );
    await alternate([ours], context.rounds, context);
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
/** The part of gobonnie's report that is needed. */
const document = z.object({ runs: z.tuple([z.object({ measurements: z.tuple([rate, rate]) })]) });

async function megabytesPerSecond(directory: string, signal: AbortSignal) {
  const { stdout } = await runChild(
    gobonnieCommand(
      ...['--dir', directory, '--size', `${space.sizeBytes / GIB}`, '--threads', '1', '--runs', '1'],
      ...['--phases', 'putc,getc', '--byte-mode', 'unlocked', '--format', 'report'],
    ),
    signal,
  );
  const [putc, getc] = document.parse(JSON.parse(stdout)).runs[0].measurements;
  return { putc: putc.bytesPerSecond / 1e6, getc: getc.bytesPerSecond / 1e6 };
}
