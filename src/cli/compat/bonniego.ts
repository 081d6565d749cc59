import { defineGoCommand } from './gobonniego.js';

/** bonniego: gobonniego's earlier name, with MiB in its lines. */
export const bonniego = defineGoCommand({
  name: 'gobonnie bonniego',
  usage: '[options] [DIR]',
  examples: [{ command: 'gobonnie bonniego -dir /mnt/disk -size 4', comment: 'with the flags of bonniego' }],
  format: 'bonniego',
  // Without -v, bonniego's log has only warnings.
  loadLogFormatter: async () => {
    const { formatLog } = await import('../commands/lazy-bundle.js');
    return (event, verbosity) =>
      verbosity === 'verbose' || event.type === 'warning' ? formatLog(event, verbosity) : [];
  },
});
