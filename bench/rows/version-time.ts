import type { Bench } from '../bench-context.js';
import { collectSeries, interleaveRounds } from '../harness/interleave-rounds.js';
import { timeBareNode, timeCommand, toElapsedMs } from '../harness/time-command.js';
import { gobonnieCommand } from '../programs/gobonnie.js';

const label = { name: 'version', work: 'gobonnie --version' };

export const versionTime: Bench = {
  labels: [label],
  async run(context) {
    const ours = timeCommand('gobonnie', gobonnieCommand('--version'), context.signal);
    const node = timeBareNode(context.signal);
    // Twice the turns, because short runs vary most.
    await interleaveRounds([ours, node], 2 * context.rounds + 1, context);
    return [
      {
        ...label,
        unit: 'ms',
        ours: collectSeries(ours, toElapsedMs),
        peer: collectSeries(node, toElapsedMs),
        target: { statistic: 'ratio', bound: 'at most', limit: 1.5 },
      },
    ];
  },
};
