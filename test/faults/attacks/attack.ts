import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { onTestFinished } from 'vitest';
import { startProcess } from '../../support/programs/program.js';

/** Passed as text, because the other user may not be able to read the project. */
const [PROGRAM] = buildSync({
  entryPoints: [fileURLToPath(new URL('attacker-child.ts', import.meta.url))],
  ...{ bundle: true, platform: 'node', format: 'esm', write: false },
}).outputFiles;

/** The attacker's orders. */
export interface AttackPlan {
  readonly uid: number;
  /** The directory in which the program creates its own. */
  readonly target: string;
  /** The ground, or a directory above it, if the attacker may rename it. */
  readonly swappedPath: string | null;
  /** The target of links, and the names in it. */
  readonly victim: string;
  readonly names: readonly string[];
  /** Another victim, in the ground, if the attacker may rename entries there. */
  readonly innerVictim: string | null;
  /** The file of --out, if that is attacked. */
  readonly report: string | null;
}

/** Starts the other user's process; returns a function that ends it and returns the number of swaps. */
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
    const tries = /^ready\n(\d+)\n$/.exec(stdout)?.[1];
    if (tries === undefined) throw new Error(`the attacker failed: ${stdout}${stderr}`);
    return Number(tries);
  };
}
