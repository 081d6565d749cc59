import { goDialect } from './gobonniego.js';

/** bonniego: gobonniego before it had that name, with MiB in its lines. */
export const bonniego = goDialect({
  name: 'bonniego',
  summary: "bonniego's lines, in MiB",
  face: {
    name: 'gobonnie bonniego',
    usage: '[options]',
    examples: [{ command: 'gobonnie bonniego -dir /mnt/disk -size 4', does: 'as it was called' }],
  },
  text: 'bonniego',
  loadNarrate: async () => (await import('./bonniego-narration.js')).narrate,
});
