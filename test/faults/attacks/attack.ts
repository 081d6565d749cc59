import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { onTestFinished } from 'vitest';
import { startProcess } from '../../support/programs/program.js';

/** Passed as text, because the attacker may not be able to read the project's files. */
const [PROGRAM] = buildSync({
  entryPoints: [fileURLToPath(new URL('attacker-child.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  format: 'esm',
  write: false,
}).outputFiles;

/** Instructions for the attacker. */
export interface AttackPlan {
  readonly uid: number;
  /** The measured directory, in which gobonnie creates its scratch directory. */
  readonly target: string;
  /** The measured directory or a parent of it, if the attacker may rename it. */
  readonly swappedPath: string | null;
  /** The target of the attacker's links, and the names of its files. */
  readonly victim: string;
  readonly names: readonly string[];
  /** Another victim, in the measured directory, if the attacker may rename entries there. */
  readonly innerVictim: string | null;
  /** The file of --out, if the attacker replaces it. */
  readonly report: string | null;
}

/** Starts the attacker's process; returns a function that ends it and returns the number of swaps. */
export async function startAttack(plan: AttackPlan): Promise<() => Promise<number>> {
  const args = ['--input-type=module', '--eval', PROGRAM?.text ?? '', JSON.stringify(plan)];
  const { child, exitResult } = startProcess(process.execPath, args, { cwd: '/' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exitResult;
  });
  if (child.stdout) await Promise.race([once(child.stdout, 'data'), exitResult]);
  return async () => {
    child.kill('SIGTERM');
    const { stdout, stderr } = await exitResult;
    const swaps = /^ready\n(\d+)\n$/.exec(stdout)?.[1];
    if (swaps === undefined) throw new Error(`the attacker failed: ${stdout}${stderr}`);
    return Number(swaps);
  };
}
