import type { BenchContext } from '../context.js';
import type { Series } from '../row.js';
import { type Watched, watchOthers } from './others.js';

/** A program that takes turns with others, and its samples so far. */
export interface Contender<Sample> {
  readonly name: string;
  run(): Promise<Sample>;
  readonly turns: Watched<Sample>[];
}

export function contender<Sample>(name: string, run: () => Promise<Sample>): Contender<Sample> {
  return { name, run, turns: [] };
}

/** One value from every sample that has it. */
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
 * Runs every contender once per round. Each round starts with another one, so that a slow minute of the machine and
 * the place in the order affect all alike. The first round is not counted: it loads the programs into the page cache,
 * and makes a virtual machine's host allocate the memory for tmpfs.
 */
export async function alternate<Sample extends Readonly<Record<string, number | undefined>>>(
  contenders: readonly Contender<Sample>[],
  rounds: number,
  context: BenchContext,
): Promise<void> {
  for (const { run } of contenders) await run();
  for (let round = 0; round < rounds; round++) {
    const first = round % contenders.length;
    for (const { name, run, turns } of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      const turn = await leastDisturbed(run);
      turns.push(turn);
      context.say(`round ${round + 1} of ${rounds}, ${name}: ${textOf(turn)}`);
    }
  }
}

/** The share of the CPUs that counts as a disturbance; the kernel's own work stays below. */
const DISTURBING_SHARE = 0.05;
const MOST_REPEATS = 2;

/** Repeats a turn that other processes disturbed, whatever it measured, and keeps the quietest. */
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
  if (othersShare !== null)
    figures.push(`other processes took ${(100 * othersShare).toFixed(0)} % of the CPUs`);
  return figures.join(', ');
}
