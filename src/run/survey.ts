import os from 'node:os';
import path from 'node:path';
import { inspect, type Machine } from '../machine/machine.js';
import { type Cleared, clearLeftovers } from '../scratch/leftovers.js';
import { shown } from '../text/escape.js';
import type { Stalls } from './kernel/stalls.js';

/** Inspects a directory that is to be measured. With `onCleared`, what killed runs have left there is removed first. */
export async function survey(
  dir: string | undefined,
  stalls: Stalls,
  onCleared: ((one: Cleared) => void) | null,
): Promise<Machine> {
  const directory = path.resolve(dir ?? os.tmpdir());
  const look = { words: () => `a look at ${shown(directory)}` };
  if (onCleared !== null) {
    // What is wrong with the directory is said when it is inspected.
    const clearing = clearLeftovers(directory).catch(() => []);
    for (const one of await stalls.over(look, clearing)) onCleared(one);
  }
  return stalls.over(look, inspect(directory));
}
