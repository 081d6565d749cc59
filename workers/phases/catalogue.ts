import { iops } from './iops.js';
import type { Phase } from './phase.js';
import { read } from './read.js';
import { write } from './write.js';

/** Every phase, one row each. */
export const phases: readonly Phase[] = [write, read, iops];

export function phaseNamed(name: string): Phase {
  const phase = phases.find((row) => row.name === name);
  if (!phase) throw new Error(`no phase is called ${name}`);
  return phase;
}
