import { type Command, runChild } from './child.js';
import { createVariant, type Variant } from './interleave-rounds.js';

export type ElapsedTime = { readonly elapsedMs: number };
export const toElapsedMs = ({ elapsedMs }: ElapsedTime) => elapsedMs;

/** Measures the time from spawn to exit. */
export function timeCommand(name: string, command: Command, signal: AbortSignal): Variant<ElapsedTime> {
  return createVariant(name, async () => {
    const { elapsedMs } = await runChild(command, signal);
    return { elapsedMs };
  });
}

/** Measures a node that does nothing, the lower bound for a start. */
export function timeBareNode(signal: AbortSignal): Variant<ElapsedTime> {
  return timeCommand('node -e 0', [process.execPath, '-e', '0'], signal);
}
