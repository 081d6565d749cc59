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
  if (paths.length > 0) return inspectExisting(paths, options, stallDetector);
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

/** Inspects the directory of existing files, and chooses the parts to read. Writes nothing there. */
async function inspectExisting(
  paths: readonly string[],
  { seed }: Options,
  stallDetector: StallDetector,
): Promise<Machine> {
  let entries = 0;
  const inspect = async () => {
    const sample = await sampleFiles(paths, seed, () => entries++);
    const directory = await directoryOf(path.resolve(paths[0] ?? ''));
    return { ...(await inspectMachine(directory, { mayOpen: false, loads: [] })), sample };
  };
  return stallDetector.watch(`the search for files in ${display(paths[0] ?? '')}`, inspect(), () => entries);
}

/** Returns the directory of a file, or the directory itself. */
async function directoryOf(file: string): Promise<string> {
  const stats = await stat(file).catch(() => null);
  return stats?.isFile() ? path.dirname(file) : file;
}
