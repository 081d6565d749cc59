import type { Bench } from '../context.js';
import { interleaveRounds, collectSeries } from '../measuring/alternate.js';
import { timeBareNode, toElapsedMs, timeCommand } from '../measuring/timed.js';
import { gobonnieCommand } from '../peers/gobonnie.js';

const subject = { name: 'version', work: 'gobonnie --version' };

export const versionTime: Bench = {
  labels: [subject],
  async run(context) {
    const ours = timeCommand('gobonnie', gobonnieCommand('--version'), context.signal);
    const node = timeBareNode(context.signal);
    // Short runs vary most, so they get twice the turns.
    await interleaveRounds([ours, node], 2 * context.rounds + 1, context);
    return [
      {
        ...subject,
        unit: 'ms',
        ours: collectSeries(ours, toElapsedMs),
        peer: collectSeries(node, toElapsedMs),
        target: { statistic: 'ratio', bound: 'at most', limit: 1.6 },
      },
    ];
  },
};
