import { defineGoCommand } from './gobonniego.js';

/** bonniego: gobonniego's earlier name, with MiB in its lines. */
export const bonniego = defineGoCommand({
  name: 'gobonnie bonniego',
  usage: '[options] [DIR]',
  examples: [{ command: 'gobonnie bonniego -dir /mnt/disk -size 4', comment: 'with the flags of bonniego' }],
  format: 'bonniego',
  loadLogFormatter: async () => (await import('../commands/lazy-bundle.js')).formatBonniegoLog,
});
