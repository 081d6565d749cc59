import { randomInt } from 'node:crypto';

export const SCRATCH_PREFIX = 'gobonnie-';
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const RANDOM_LENGTH = 6;
export const SCRATCH_NAME_LENGTH = SCRATCH_PREFIX.length + RANDOM_LENGTH;
/** Matches the name of a scratch directory. */
export const SCRATCH_NAME = /^gobonnie-[a-zA-Z0-9]{6}$/;

export function randomScratchName(): string {
  const characters = Array.from({ length: RANDOM_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]);
  return SCRATCH_PREFIX + characters.join('');
}
