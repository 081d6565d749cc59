import { spawnSync } from 'node:child_process';

/** Returns a program's stdout for a text on its stdin; throws with the program's messages if it fails. */
export function pipeThrough(command: string, args: readonly string[], input: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { input, encoding: 'utf8' });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}${stdout}`);
  return stdout;
}
