import os from 'node:os';
import path from 'node:path';
import { inspectMachine } from '../machine/machine.js';
import type { Machine } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import { listUringLoads } from '../plan/engine.js';
import { type RemovalResult, removeDeadLeftovers } from '../scratch/leftovers.js';
import { display } from '../text/escape.js';
import type { StallDetector } from './kernel/stall-detector.js';

/** Inspects a directory before the measurement. With `onLeftover`, removes leftovers of killed runs first. */
export async function preflight(
  options: Options,
  stallDetector: StallDetector,
  onLeftover: ((one: RemovalResult) => void) | null,
): Promise<Machine> {
  const directory = path.resolve(options.dir ?? os.tmpdir());
  const operation = `the inspection of ${display(directory)}`;
  if (onLeftover !== null) {
    // The inspection below reports any problem with the directory.
    const clearing = removeDeadLeftovers(directory).catch(() => []);
    for (const one of await stallDetector.watch(operation, clearing)) onLeftover(one);
  }
  const questions = { mayOpen: onLeftover !== null, loads: listUringLoads(options) };
  return stallDetector.watch(operation, inspectMachine(options.dir, questions));
}
