import type { Row } from './row.js';
import type { Seen } from './trial.js';
import type { Workshop } from './workshop.js';

/** Without what differs on each machine and in each run. */
export function neutral(text: string, { dir, work }: Workshop): string {
  return text
    .replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, '')
    .replaceAll(dir, '$DIR')
    .replaceAll(work, '$WORK')
    .replace(/\/gobonnie-\w{6}\b/g, '/gobonnie-…')
    .replace(/(\/tree\.\d+)\/\w+/g, '$1/…')
    .replace(/(no progress for) \d+ s/, '$1 … s')
    .replace(/(twice the memory) \([^)]+\)/g, '$1 (… GiB)');
}

/** The message about the fault. An offset is kept when the fault was injected at that offset. */
export function wordingOf({ shop, stderr, complaints }: Seen, { says, strike }: Row): string | null {
  const line = complaints.at(-1) ?? stderr.split('\n').find((said) => says?.test(said));
  if (line === undefined) return null;
  return neutral(line, shop).replace(/ at offset (\d+)/g, (words, offset: string) =>
    strike?.by.includes(offset) ? words : ' at offset …',
  );
}
