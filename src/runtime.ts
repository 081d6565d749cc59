import { GobonnieError } from './errors.js';

const { bun, deno, node } = process.versions;

/** The name and version of the runtime: `Node 24.1.0`. */
export const RUNTIME = bun === undefined ? `Node ${node}` : `Bun ${bun}`;

/**
 * Rejects Deno, on which gobonnie cannot keep its promises: a file size limit kills the process, errors lack their
 * number, and `lstat` takes 4 to 10 times as long as in Node, which `status` would show as the disk's time.
 */
export function rejectDeno(version: string | undefined = deno): void {
  if (version !== undefined) throw runtimeError(`gobonnie does not run on Deno ${version}`);
}

/** Rejects a job on Bun, which cannot use the launcher's connection, and whose processes have no common clock. */
export function rejectJobOnBun(version: string | undefined = bun): void {
  if (version !== undefined) throw runtimeError(`a job of several processes does not run on Bun ${version}`);
}

function runtimeError(fact: string): GobonnieError {
  return new GobonnieError(
    'runtime-unsupported',
    fact,
    'install Node.js 20.19 or newer and type npx gobonnie',
  );
}
