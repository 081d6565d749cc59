import type { Row } from './row.js';
import type { Seen } from './trial.js';
import type { Workshop } from './workshop.js';

/** Without what is another on each machine and each time. */
export function neutral(text: string, { dir, work }: Workshop): string {
  return text
    .replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, '')
    .replaceAll(dir, '$DIR')
    .replaceAll(work, '$WORK')
    .replace(/\/gobonnie-\w{6}\b/g, '/gobonnie-…')
    .replace(/(\/tree\.\d+)\/\w+/g, '$1/…')
    .replace(/(nothing has moved for) \d+ s/, '$1 … s')
    .replace(/(twice the memory) \([^)]+\)/g, '$1 (… GiB)');
}

/** What was said of the fault. An offset stays where the fault itself was made at it. */
export function wordingOf({ shop, stderr, complaints }: Seen, { says, strike }: Row): string | null {
  const line = complaints.at(-1) ?? stderr.split('\n').find((said) => says?.test(said));
  if (line === undefined) return null;
  return neutral(line, shop).replace(/ at offset (\d+)/g, (words, offset: string) =>
    strike?.by.includes(offset) ? words : ' at offset …',
  );
}
