import { phaseNamed } from '../../workers/phases/catalogue.js';
import type { Phase, Stock } from '../../workers/phases/phase.js';
import { GobonnieError } from '../errors.js';

/** What the phases before one have made. */
type Made = ReadonlyMap<Stock, 'all' | 'part'>;

const WHAT: Readonly<Record<Stock, { readonly words: string; readonly maker: string }>> = {
  data: { words: 'data', maker: 'write' },
  tree: { words: 'files', maker: 'create' },
  'random-tree': { words: 'files', maker: 'create-random' },
};

/** The phases in their order; one whose stock no phase before it makes is refused. */
export function phasesInOrder(names: readonly string[], byteWiseIsAll: boolean): readonly Phase[] {
  const made = new Map<Stock, 'all' | 'part'>();
  return names.map(phaseNamed).map((phase) => {
    refuseUnsupplied(phase, made);
    if (phase.use === 'makes')
      made.set(phase.stock, phase.moves === 'bytes' && !byteWiseIsAll ? 'part' : 'all');
    if (phase.use === 'takes') made.delete(phase.stock);
    return phase;
  });
}

function refuseUnsupplied({ name, stock, use, moves }: Phase, made: Made): void {
  if (use === 'makes' || made.get(stock) === 'all') return;
  if (made.get(stock) === 'part' && moves === 'bytes') return;
  const { words, maker } = WHAT[stock];
  throw new GobonnieError(
    'option-invalid',
    `--phases: ${name} needs ${words} that a phase before it has made`,
    `put ${maker} before it`,
  );
}
