import { fio, fioAtAnyByte } from './fio.js';
import { gobonniego } from './gobonniego.js';
import type { Peer } from './peer.js';

/** Whom gobonnie is compared with, where they are on the machine. */
export const peers: readonly Peer[] = [fio, fioAtAnyByte, gobonniego];
