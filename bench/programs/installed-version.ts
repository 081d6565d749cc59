import { type Command, runChild } from '../harness/child.js';

/** Returns the first line of the command's output, or undefined if it is not installed. */
export function queryInstalledVersion(command: Command, signal: AbortSignal): Promise<string | undefined> {
  return undefinedIfMissing(async () => {
    const { stdout } = await runChild(command, signal);
    return stdout.split('\n').at(0);
  });
}

/** Returns the query's result, or undefined if the program does not exist. */
export async function undefinedIfMissing<T>(query: () => Promise<T>): Promise<T | undefined> {
  try {
    return await query();
  } catch (error) {
    // A directory on the PATH that this user may not read causes EACCES.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES'))
      return undefined;
    throw error;
  }
}
