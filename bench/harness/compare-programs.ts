import type { Bench } from '../bench-context.js';
import { type BenchContext, withNewDirectory } from '../bench-context.js';
import type { BenchRow, RowLabel, RowTarget } from '../bench-row.js';
import type {
  BenchmarkedProgram,
  MetricName,
  ProgramGroup,
  ProgramRates,
  Space,
} from '../programs/benchmarked-program.js';
import { collectSeries, createVariant, interleaveRounds, type Variant } from './interleave-rounds.js';

/** A row of the table for one result of the work. */
export interface RowSpec extends RowLabel {
  readonly metric: MetricName;
  readonly unit: string;
  readonly target: RowTarget;
}

/** Runs gobonnie and every installed peer in turns; returns a row for each result and peer. */
export function comparePrograms<W extends Space>(
  { ours: gobonnie, theirs: peers }: ProgramGroup<W>,
  work: W,
  labels: readonly RowSpec[],
): Bench {
  return {
    labels,
    async run(context) {
      const ours = createProgramVariant(gobonnie, work, context);
      const theirs = await Promise.all(
        peers
          .filter((peer) => peer.supports(work))
          .map(async (peer) => ({
            variant: createProgramVariant(peer, work, context),
            isInstalled: (await peer.version(context.signal)) !== undefined,
          })),
      );
      const installed = theirs.filter(({ isInstalled }) => isInstalled).map(({ variant }) => variant);
      if (installed.length > 0) await interleaveRounds([ours, ...installed], context.rounds, context);
      return labels.flatMap((row) => theirs.flatMap((peer) => buildRows(row, ours, peer.variant)));
    },
  };
}

function createProgramVariant<W extends Space>(
  peer: BenchmarkedProgram<W>,
  work: W,
  context: BenchContext,
): Variant<ProgramRates> {
  return createVariant(peer.name, () =>
    withNewDirectory(work, context, (directory) => peer.measure(work, directory, context.signal)),
  );
}

/** Returns no rows for results that the peer cannot measure. */
function buildRows(
  row: RowSpec,
  ours: Variant<ProgramRates>,
  theirs: Variant<ProgramRates>,
): readonly BenchRow[] {
  if (theirs.turns.length === 0) return [{ ...row, reason: `${theirs.name} is not on the PATH` }];
  const peer = collectSeries(theirs, (rates) => rates[row.metric]);
  if (peer.values.length === 0) return [];
  return [{ ...row, ours: collectSeries(ours, (rates) => rates[row.metric]), peer }];
}
