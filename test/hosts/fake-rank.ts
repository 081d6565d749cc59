import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { currentOwner, type Owner } from '../../src/scratch/owner.js';

/** A process that was killed. */
export const DEAD: Owner = { ...currentOwner(), startTime: '1' };
/** A process that may be alive on another host. */
export const ELSEWHERE: Owner = { ...DEAD, host: 'elsewhere', boot: 'another' };

/** Writes the files with which this process has a rank. */
export function writeRank(rendezvous: string, rank: number, owner: Owner): void {
  const directory = path.join(rendezvous, `rank.${rank}`);
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'owner'), JSON.stringify(owner));
}
