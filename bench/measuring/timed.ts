import { type Contender, contender } from './alternate.js';
import { type Command, runChild } from './child.js';

export type Elapsed = { readonly elapsedMs: number };
export const elapsedMsOf = ({ elapsedMs }: Elapsed) => elapsedMs;

/** From spawn to exit. */
export function timed(name: string, command: Command, signal: AbortSignal): Contender<Elapsed> {
  return contender(name, async () => {
    const { elapsedMs } = await runChild(command, signal);
    return { elapsedMs };
  });
}

/** A node that does nothing: no start can be faster. */
export function bareNode(signal: AbortSignal): Contender<Elapsed> {
  return timed('node -e 0', [process.execPath, '-e', '0'], signal);
}
