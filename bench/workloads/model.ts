import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../src/report/schema/report.js';
import { runChild } from '../harness/child.js';
import type { StepSeconds } from './agreement.js';

export interface Model {
  /** The program to run: `bin/gobonnie.cjs` of a built repository. */
  readonly program: string;
  readonly packages: number;
}

/** In the order of the real tools, because each step changes what the next one finds in the page cache. */
const STEPS = 'install,flush,status,status-cold,clean,commit-journal,commit-wal,restore';
/** The number of transactions whose seconds are compared. */
const TRANSACTIONS = 300;

/** Runs the steps of `gobonnie dev` once in a new directory of the filesystem. */
export async function runModel(
  { program, packages }: Model,
  mountPoint: string,
  signal: AbortSignal,
): Promise<StepSeconds> {
  const directory = mkdtempSync(join(mountPoint, 'model-'));
  const out = join(directory, 'report.json');
  // biome-ignore format: flags with their values
  const flags = ['--quiet', '--dir', directory, '--runs', '1', '--packages', `${packages}`, '--out', out];
  await runChild([process.execPath, program, '--phases', STEPS, ...flags], signal);
  const report = JSON.parse(readFileSync(out, 'utf8')) as Report;
  const measurements = report.runs.flatMap((run) => run.measurements);
  return Object.fromEntries(
    measurements.map(({ step, seconds, operations }) => [
      step,
      step.startsWith('commit-') ? (seconds / operations) * TRANSACTIONS : seconds,
    ]),
  );
}
