import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectMachine } from '../machine/machine.js';
import type { Machine } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import { listUringLoads } from '../plan/engine.js';
import { type RemovalResult, removeDeadLeftovers } from '../scratch/leftovers.js';
import { display } from '../text/escape.js';
import type { StallDetector } from './kernel/stall-detector.js';
import { sampleFiles } from './sample-files.js';

/** Inspects a directory before the measurement. With `onLeftover`, removes leftovers of killed runs first. */
export async function preflight(
  options: Options,
  stallDetector: StallDetector,
  onLeftover: ((one: RemovalResult) => void) | null,
): Promise<Machine> {
  const paths = options.steps?.flatMap((step) => step.paths ?? []) ?? [];
  const [first] = paths;
  const directory = path.resolve(
    first === undefined ? (options.dir ?? os.tmpdir()) : await directoryOf(first),
  );
  const operation = `the inspection of ${display(directory)}`;
  if (onLeftover !== null && first === undefined) {
    // The inspection below reports any problem with the directory.
    const clearing = removeDeadLeftovers(directory).catch(() => []);
    for (const one of await stallDetector.watch(operation, clearing)) onLeftover(one);
  }
  const questions = { mayOpen: onLeftover !== null && first === undefined, loads: listUringLoads(options) };
  const machine = await stallDetector.watch(
    operation,
    inspectMachine(first === undefined ? options.dir : directory, questions),
  );
  if (first === undefined) return machine;
  const sampling = `the search for files in ${display(first)}`;
  return { ...machine, sample: await stallDetector.watch(sampling, sampleFiles(paths, options.seed)) };
}

/** Returns the directory of a file, or the directory itself. */
async function directoryOf(file: string): Promise<string> {
  const stats = await stat(file).catch(() => null);
  return stats?.isFile() ? path.dirname(file) : file;
}
