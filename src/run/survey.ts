import os from 'node:os';
import path from 'node:path';
import { inspect, type Machine } from '../machine/machine.js';
import { type Cleared, clearLeftovers } from '../scratch/leftovers.js';
import { shown } from '../text/escape.js';
import type { Stalls } from './kernel/stalls.js';

/** Inspects a directory before it is measured. With `onCleared`, leftovers of killed runs are removed first. */
export async function survey(
  dir: string | undefined,
  stalls: Stalls,
  onCleared: ((one: Cleared) => void) | null,
): Promise<Machine> {
  const directory = path.resolve(dir ?? os.tmpdir());
  const waiting = `the inspection of ${shown(directory)}`;
  if (onCleared !== null) {
    // The inspection reports what is wrong with the directory.
    const clearing = clearLeftovers(directory).catch(() => []);
    for (const one of await stalls.over(waiting, clearing)) onCleared(one);
  }
  return stalls.over(waiting, inspect(directory));
}
