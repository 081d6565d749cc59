import { bonnie } from './ancestors/bonnie.js';
import { bonniePlusPlus } from './ancestors/bonnie-plus-plus.js';
import { bonniego } from './ancestors/bonniego.js';
import { getcPutc } from './ancestors/getc-putc-flags.js';
import { gobonniego } from './ancestors/gobonniego.js';
import { listing } from './argv/face.js';
import { ab } from './commands/ab-flags.js';
import { clean } from './commands/clean-flags.js';
import { compare } from './commands/compare-flags.js';
import { completionOf } from './commands/completion-flags.js';
import { explain } from './commands/explain-flags.js';
import { show } from './commands/show-flags.js';
import { zones } from './commands/zones-flags.js';
import type { Dialect, Request } from './request.js';

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
