import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { onTestFinished } from 'vitest';
import { start } from '../../support/programs/program.js';

/** Handed over as text: the other user may not look into the project wherever its checkout lies. */
const [PROGRAM] = buildSync({
  entryPoints: [fileURLToPath(new URL('attacker-child.ts', import.meta.url))],
  ...{ bundle: true, platform: 'node', format: 'esm', write: false },
}).outputFiles;

/** What an attacker is told. */
export interface Attack {
  readonly uid: number;
  /** Where the program makes its directories. */
  readonly ground: string;
  /** The ground itself, or a directory above it, that the attacker may rename; null where it may not. */
  readonly way: string | null;
  /** Where links lead, and the names that are in there. */
  readonly victim: string;
  readonly names: readonly string[];
  /** Another victim, in the ground, which the attacker may rename, too; null where it can make nothing there. */
  readonly kin: string | null;
  /** A file of --out. */
  readonly report: string | null;
}

/** Starts a process of the other user; gives what ends it and tells how often it came to act. */
export async function attack(plan: Attack): Promise<() => Promise<number>> {
  const args = ['--input-type=module', '--eval', PROGRAM?.text ?? '', JSON.stringify(plan)];
  const { child, ended } = start(process.execPath, args, { cwd: '/' });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  if (child.stdout) await Promise.race([once(child.stdout, 'data'), ended]);
  return async () => {
    child.kill('SIGTERM');
    const { stdout, stderr } = await ended;
    const tries = /^ready\n(\d+)\n$/.exec(stdout)?.[1];
    if (tries === undefined) throw new Error(`the attacker failed: ${stdout}${stderr}`);
    return Number(tries);
  };
}
