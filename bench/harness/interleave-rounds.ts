import type { BenchContext } from '../bench-context.js';
import type { ProgramSeries } from '../bench-row.js';
import { type LoadSample, withCpuLoad } from './cpu-load.js';

/** A program that takes turns with other programs, and its samples so far. */
export interface Variant<Sample> {
  readonly name: string;
  run(): Promise<Sample>;
  readonly turns: LoadSample<Sample>[];
}

export function createVariant<Sample>(name: string, run: () => Promise<Sample>): Variant<Sample> {
  return { name, run, turns: [] };
}

/** Collects one value from every sample that has it. */
export function collectSeries<Sample>(
  { name, turns }: Variant<Sample>,
  pick: (sample: Sample) => number | undefined,
): ProgramSeries {
  return {
    name,
    values: turns.map(({ result }) => pick(result)).filter((value) => value !== undefined),
    otherCpuShares: turns.map(({ otherCpuShare }) => otherCpuShare).filter((share) => share !== null),
  };
}

/**
 * Runs every variant once per round. Each round starts with a different variant, so a slow minute of the machine and
 * the order affect all variants equally. The first round does not count: it loads the programs into the page cache, and
 * makes a virtual machine's host allocate the memory for tmpfs.
 */
export async function interleaveRounds<Sample extends Readonly<Record<string, number | undefined>>>(
  variants: readonly Variant<Sample>[],
  rounds: number,
  context: BenchContext,
): Promise<void> {
  for (const { run } of variants) await run();
  for (let round = 0; round < rounds; round++) {
    const first = round % variants.length;
    for (const { name, run, turns } of [...variants.slice(first), ...variants.slice(0, first)]) {
      const turn = await runLeastDisturbed(run);
      turns.push(turn);
      context.log(`round ${round + 1} of ${rounds}, ${name}: ${formatTurn(turn)}`);
    }
  }
}

/** Share of the CPU time that counts as a disturbance; the kernel's own work remains below it. */
const DISTURBING_SHARE = 0.05;
const MAX_REPEATS = 2;

/** Repeats a turn that other processes disturbed, whatever its result, and keeps the quietest turn. */
async function runLeastDisturbed<Sample>(run: () => Promise<Sample>): Promise<LoadSample<Sample>> {
  let quietest = await withCpuLoad(run);
  for (let repeat = 0; repeat < MAX_REPEATS && cpuShareOrZero(quietest) > DISTURBING_SHARE; repeat++) {
    const turn = await withCpuLoad(run);
    if (cpuShareOrZero(turn) < cpuShareOrZero(quietest)) quietest = turn;
  }
  return quietest;
}

function cpuShareOrZero({ otherCpuShare }: LoadSample<unknown>): number {
  return otherCpuShare ?? 0;
}

function formatTurn({
  result,
  otherCpuShare,
}: LoadSample<Readonly<Record<string, number | undefined>>>): string {
  const parts = Object.entries(result).map(([key, value]) => `${key} ${value?.toFixed(1)}`);
  if (otherCpuShare !== null)
    parts.push(`other processes used ${(100 * otherCpuShare).toFixed(0)} % of the CPUs`);
  return parts.join(', ');
}
