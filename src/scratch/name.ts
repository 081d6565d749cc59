import { randomInt } from 'node:crypto';

export const PREFIX = 'gobonnie-';
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const RANDOM_LENGTH = 6;
export const NAME_LENGTH = PREFIX.length + RANDOM_LENGTH;
/** The name of a scratch directory. */
export const SCRATCH_NAME = /^gobonnie-[a-zA-Z0-9]{6}$/;

export function randomName(): string {
  const characters = Array.from({ length: RANDOM_LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]);
  return PREFIX + characters.join('');
}
