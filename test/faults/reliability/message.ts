import type { FaultCase } from './fault-case.js';
import type { Observation } from './run-fault-case.js';
import type { Sandbox } from './sandbox.js';

/** Replaces the parts that differ between machines and runs. */
export function normalize(text: string, { dir, work }: Sandbox): string {
  return text
    .replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, '')
    .replaceAll(dir, '$DIR')
    .replaceAll(work, '$WORK')
    .replace(/\/gobonnie-\w{6}\b/g, '/gobonnie-…')
    .replace(/(\/tree\.\d+)\/\w+/g, '$1/…')
    .replace(/(no progress for) \d+ s/, '$1 … s')
    .replace(/(twice the RAM) \([^)]+\)/g, '$1 (… GiB)');
}

/** Returns the message about the fault. It keeps an offset only if the fault was injected at that offset. */
export function findMessage(
  { sandbox, stderr, errorLines }: Observation,
  { expectedMessage, trigger }: FaultCase,
): string | null {
  const line = errorLines.at(-1) ?? stderr.split('\n').find((text) => expectedMessage?.test(text));
  if (line === undefined) return null;
  return normalize(line, sandbox).replace(/ at offset (\d+)/g, (words, offset: string) =>
    trigger?.script.includes(offset) ? words : ' at offset …',
  );
}
