import { goDialect } from './gobonniego.js';

/** bonniego: gobonniego's earlier name, with MiB in its lines. */
export const bonniego = goDialect({
  name: 'gobonnie bonniego',
  usage: '[options] [DIR]',
  examples: [{ command: 'gobonnie bonniego -dir /mnt/disk -size 4', does: 'as bonniego was called' }],
  text: 'bonniego',
  loadNarrate: async () => (await import('../commands/loaded-together.js')).narrateBonniego,
});
