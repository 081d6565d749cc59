import type { Lab } from './lab.js';
import { type Watched, watchOthers } from './others.js';
import type { Series } from './row.js';

/** One of those that take turns, and what it has measured so far. */
export interface Contender<Sample> {
  readonly name: string;
  run(): Promise<Sample>;
  readonly turns: Watched<Sample>[];
}

export function contender<Sample>(name: string, run: () => Promise<Sample>): Contender<Sample> {
  return { name, run, turns: [] };
}

/** One value of every sample that has it. */
export function seriesOf<Sample>(
  { name, turns }: Contender<Sample>,
  pick: (sample: Sample) => number | undefined,
): Series {
  return {
    name,
    values: turns.flatMap(({ result }) => pick(result) ?? []),
    othersShares: turns.flatMap(({ othersShare }) => othersShare ?? []),
  };
}

/**
 * Everybody once a round, and each round begins with the next one, so that a slow minute of the machine and the
 * place after somebody else meet all alike. A round before the first is not counted: it brings the programs into
 * the page cache, and the host's memory under the guest's tmpfs.
 */
export async function alternate<Sample extends Readonly<Record<string, number | undefined>>>(
  contenders: readonly Contender<Sample>[],
  rounds: number,
  lab: Lab,
): Promise<void> {
  for (const { run } of contenders) await run();
  for (let round = 0; round < rounds; round++) {
    const first = round % contenders.length;
    for (const { name, run, turns } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const turn = await leastDisturbed(run);
      turns.push(turn);
      lab.say(`round ${round + 1} of ${rounds}, ${name}: ${textOf(turn)}`);
    }
  }
}

/** Of the CPUs; the kernel's own housekeeping stays below. */
const DISTURBING_SHARE = 0.05;
const MOST_REPEATS = 2;

/** A turn that others disturbed is taken again, whatever it measured, and the quietest one counts. */
async function leastDisturbed<Sample>(run: () => Promise<Sample>): Promise<Watched<Sample>> {
  let quietest = await watchOthers(run);
  for (let repeat = 0; repeat < MOST_REPEATS && shareOf(quietest) > DISTURBING_SHARE; repeat++) {
    const turn = await watchOthers(run);
    if (shareOf(turn) < shareOf(quietest)) quietest = turn;
  }
  return quietest;
}

function shareOf({ othersShare }: Watched<unknown>): number {
  return othersShare ?? 0;
}

function textOf({ result, othersShare }: Watched<Readonly<Record<string, number | undefined>>>): string {
  const figures = Object.entries(result).map(([key, value]) => `${key} ${value?.toFixed(1)}`);
  if (othersShare !== null) figures.push(`others took ${(100 * othersShare).toFixed(0)} % of the CPUs`);
  return figures.join(', ');
}
