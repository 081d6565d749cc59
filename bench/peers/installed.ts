import { type Command, runChild } from '../child.js';

/** The first line that the command prints, or undefined where there is no such program. */
export function installedVersion(command: Command, signal: AbortSignal): Promise<string | undefined> {
  return whereInstalled(async () => {
    const { stdout } = await runChild(command, signal);
    return stdout.split('\n').at(0);
  });
}

/** Undefined where there is no such program. */
export async function whereInstalled<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    // EACCES is what remains where the PATH leads through a directory that is closed to us.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES'))
      return undefined;
    throw error;
  }
}
