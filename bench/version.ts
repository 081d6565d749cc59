import { alternate, seriesOf } from './alternate.js';
import type { Bench } from './bench.js';
import { bareNode, elapsedMsOf, timed } from './node.js';
import { gobonnieCommand } from './peers/gobonnie.js';

const subject = { name: 'version', work: 'gobonnie --version' };

export const version: Bench = {
  subjects: [subject],
  async run(lab) {
    const ours = timed('gobonnie', gobonnieCommand('--version'), lab.signal);
    const node = bareNode(lab.signal);
    // These are short and jitter most, so they take twice the turns.
    await alternate([ours, node], 2 * lab.rounds + 1, lab);
    return [
      {
        ...subject,
        unit: 'ms',
        ours: seriesOf(ours, elapsedMsOf),
        peer: seriesOf(node, elapsedMsOf),
        target: { of: 'ratio', bound: 'at most', limit: 2 },
      },
    ];
  },
};
