import { statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inspectMachine, type Machine } from '../machine/machine.js';
import { claimsOn } from '../scratch/claims.js';
import { type RemovalResult, removeDeadLeftovers } from '../scratch/leftovers.js';
import { display } from '../text/escape.js';
import type { StallDetector } from './kernel/stall-detector.js';

/** Inspects a directory before the measurement. With `onLeftover`, removes leftovers of killed runs first. */
export async function preflight(
  dir: string | undefined,
  stallDetector: StallDetector,
  onLeftover: ((one: RemovalResult) => void) | null,
): Promise<Machine> {
  const directory = path.resolve(dir ?? os.tmpdir());
  const operation = `the inspection of ${display(directory)}`;
  if (onLeftover !== null) {
    // The inspection below reports any problem with the directory.
    const clearing = removeDeadLeftovers(directory).catch(() => []);
    for (const one of await stallDetector.watch(operation, clearing)) onLeftover(one);
  }
  return stallDetector.watch(operation, inspectMachine(dir).then(withClaims));
}

/** Adds the space that this user's other runs will still take on the same filesystem. */
export async function withClaims(machine: Machine): Promise<Machine> {
  const { target } = machine;
  const claims = await claimsOn(target);
  if (target.mount === null || claims.length === 0) return machine;
  // Query the free space after the claims: in the other order, neither would include a write in between.
  const { bsize, bavail } = await statfs(target.mount);
  const availableBytes = Math.min(target.availableBytes, bsize * bavail);
  return { ...machine, target: { ...target, availableBytes, claims } };
}
