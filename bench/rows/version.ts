import type { Bench } from '../context.js';
import { alternate, seriesOf } from '../measuring/alternate.js';
import { bareNode, elapsedMsOf, timed } from '../measuring/timed.js';
import { gobonnieCommand } from '../peers/gobonnie.js';

const subject = { name: 'version', work: 'gobonnie --version' };

export const version: Bench = {
  subjects: [subject],
  async run(context) {
    const ours = timed('gobonnie', gobonnieCommand('--version'), context.signal);
    const node = bareNode(context.signal);
    // Short runs vary most, so they get twice the turns.
    await alternate([ours, node], 2 * context.rounds + 1, context);
    return [
      {
        ...subject,
        unit: 'ms',
        ours: seriesOf(ours, elapsedMsOf),
        peer: seriesOf(node, elapsedMsOf),
        target: { of: 'ratio', bound: 'at most', limit: 1.6 },
      },
    ];
  },
};
