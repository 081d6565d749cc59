import { type Command, runChild } from '../harness/child.js';

/** The first line that the command prints, or undefined if it is not installed. */
export function queryInstalledVersion(command: Command, signal: AbortSignal): Promise<string | undefined> {
  return undefinedIfMissing(async () => {
    const { stdout } = await runChild(command, signal);
    return stdout.split('\n').at(0);
  });
}

/** Undefined if there is no such program. */
export async function undefinedIfMissing<T>(query: () => Promise<T>): Promise<T | undefined> {
  try {
    return await query();
  } catch (error) {
    // EACCES is the error if the PATH has a directory that we may not read.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES'))
      return undefined;
    throw error;
  }
}
