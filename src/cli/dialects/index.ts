import type { Dialect, Request } from '../request.js';
import { gobonniego } from './gobonniego.js';
import { show } from './show.js';

/** Every front end, one row each; the first one is spoken when none is named. */
const dialects: readonly [Dialect, ...Dialect[]] = [gobonniego, show];

/** `gobonnie --size 1` or, with a dialect's name before its flags, `gobonnie gobonniego -size 1`. */
export function read(args: readonly string[]): Request {
  const [first, ...rest] = args;
  const named = dialects.find(({ name }) => name === first);
  return named ? named.read(rest) : dialects[0].read(args);
}
