import { bonniePlusPlus, gobonnieBonniePlusPlus } from './bonnie-plus-plus.js';
import { fio, fioAtAnyByte } from './fio.js';
import { gobonnie } from './gobonnie.js';
import { gobonniego } from './gobonniego.js';
import type { Contest, FamilyWork, Peer, Work } from './peer.js';

/** For gobonnie's own phases. */
export const blocks: Contest<Work> = { ours: gobonnie, theirs: [fio, fioAtAnyByte, gobonniego] };

/** For the phases of bonnie++, with its flags. */
export const bonnies: Contest<FamilyWork> = { ours: gobonnieBonniePlusPlus, theirs: [bonniePlusPlus] };

/** All programs whose version the bench prints. */
export const programs: readonly Pick<Peer, 'name' | 'version'>[] = [
  gobonnie,
  ...blocks.theirs,
  ...bonnies.theirs,
];
