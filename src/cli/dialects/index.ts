import type { Dialect, Request } from '../request.js';
import { ab } from './ab.js';
import { bonnie } from './bonnie.js';
import { bonniePlusPlus } from './bonnie-plus-plus.js';
import { bonniego } from './bonniego.js';
import { clean } from './clean.js';
import { compare } from './compare.js';
import { completionOf } from './completion.js';
import { explain } from './explain.js';
import { listing } from './face.js';
import { getcPutc } from './getc-putc.js';
import { gobonniego } from './gobonniego.js';
import { show } from './show.js';
import { zones } from './zones.js';

/** Every front end, one row each. */
const dialects: readonly Dialect[] = [
  gobonniego,
  bonniego,
  bonnie,
  bonniePlusPlus,
  getcPutc,
  show,
  compare,
  ab,
  zones,
  clean,
  explain,
  completionOf(() => ({ main, named: dialects })),
];

/** The one that is spoken when none is named; its help tells of the others. */
const main: Dialect = {
  ...gobonniego,
  command: () => listing(gobonniego.command(), dialects),
};

/** `gobonnie --size 1` or, with a dialect's name before its flags, `gobonnie gobonniego -size 1`. */
export function read(args: readonly string[]): Request {
  const [first, ...rest] = args;
  const named = dialects.find(({ name }) => name === first);
  return named ? named.read(rest) : main.read(args);
}
