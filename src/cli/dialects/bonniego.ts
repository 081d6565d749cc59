import { goDialect } from './gobonniego.js';

/** bonniego: gobonniego before it had that name, with MiB in its lines. */
export const bonniego = goDialect({
  name: 'bonniego',
  usage: 'gobonnie bonniego',
  text: 'bonniego',
  loadNarrate: async () => (await import('../bonniego-narration.js')).narrate,
});
