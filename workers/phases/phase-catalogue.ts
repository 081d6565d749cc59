import { commitPhases } from './commit.js';
import { existingFilePhases } from './existing-files.js';
import { clean, flush, install } from './install.js';
import { open } from './open-files.js';
import type { Phase } from './phase.js';
import { randomPhases } from './random-access.js';
import { restore } from './restore.js';
import { sequentialPhases } from './sequential.js';
import { smallFilePhases } from './small-files.js';
import { status, statusCold } from './status.js';

export const phases: readonly Phase[] = [
  ...sequentialPhases,
  ...randomPhases,
  ...smallFilePhases,
  ...existingFilePhases,
  open,
  install,
  flush,
  status,
  statusCold,
  ...commitPhases,
  restore,
  // Last in a run of gobonnie dev, because some filesystems create slowly after a deletion.
  clean,
];

export function getPhase(name: string): Phase {
  const phase = phases.find((row) => row.name === name);
  if (!phase) throw new Error(`no phase is called ${name}`);
  return phase;
}
