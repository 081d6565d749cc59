import { bonniePlusPlus, gobonnieBonniePlusPlus } from './bonnie-plus-plus.js';
import { fio, fioAtAnyByte } from './fio.js';
import { gobonnie } from './gobonnie.js';
import { gobonniego } from './gobonniego.js';
import type { Contest, FamilyWork, Peer, Work } from './peer.js';

/** Gobonnie's own phases. */
export const blocks: Contest<Work> = { ours: gobonnie, theirs: [fio, fioAtAnyByte, gobonniego] };

/** The phases of the family, in bonnie++'s flags. */
export const bonnies: Contest<FamilyWork> = { ours: gobonnieBonniePlusPlus, theirs: [bonniePlusPlus] };

/** Everybody whose version says something about the figures. */
export const programs: readonly Pick<Peer, 'name' | 'version'>[] = [
  gobonnie,
  ...blocks.theirs,
  ...bonnies.theirs,
];
