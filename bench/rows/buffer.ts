import { z } from 'zod';
import { GIB } from '../../src/text/units.js';
import { type Bench, withNewDirectory } from '../bench-context.js';
import type { RowTarget } from '../bench-row.js';
import { runChild } from '../harness/child.js';
import { collectSeries, createVariant, interleaveRounds } from '../harness/interleave-rounds.js';
import type { Space } from '../programs/benchmarked-program.js';
import { gobonnieCommand } from '../programs/gobonnie.js';

const space: Space = { storageKind: 'memory', sizeBytes: GIB };

const common = { name: 'buffer', unit: 'MB/s', peer: null };
const putc = { ...common, work: 'putc unlocked, 1 thread, tmpfs' };
const getc = { ...common, work: 'getc unlocked, 1 thread, tmpfs' };

/** Moves single bytes through a buffer. The bounds come from Bray's Bonnie, written in C: 208 and 518 MB/s. */
export const buffer: Bench = {
  labels: [putc, getc],
  async run(context) {
    const ours = createVariant('gobonnie', () =>
      withNewDirectory(space, context, (directory) => megabytesPerSecond(directory, context.signal)),
    );
    await interleaveRounds([ours], context.rounds, context);
    return [
      { ...putc, ours: collectSeries(ours, (sample) => sample.putc), target: atLeast(200) },
      { ...getc, ours: collectSeries(ours, (sample) => sample.getc), target: atLeast(500) },
    ];
  },
};

function atLeast(limit: number): RowTarget {
  return { statistic: 'median', bound: 'at least', limit };
}

const rate = z.object({ bytesPerSecond: z.number().positive() });
/** The required part of gobonnie's report. */
const document = z.object({ runs: z.tuple([z.object({ measurements: z.tuple([rate, rate]) })]) });

async function megabytesPerSecond(directory: string, signal: AbortSignal) {
  // biome-ignore format: flags with their values
  const command = gobonnieCommand(
    '--dir', directory, '--size', `${space.sizeBytes / GIB}`, '--threads', '1', '--runs', '1',
    '--phases', 'putc,getc', '--byte-mode', 'unlocked', '--format', 'report',
  );
  const { stdout } = await runChild(command, signal);
  const [putc, getc] = document.parse(JSON.parse(stdout)).runs[0].measurements;
  return { putc: putc.bytesPerSecond / 1e6, getc: getc.bytesPerSecond / 1e6 };
}
