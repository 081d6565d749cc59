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

/** A row of the table for one figure of the work. */
export interface RowSpec extends RowLabel {
  readonly metric: MetricName;
  readonly unit: string;
  readonly target: RowTarget;
}

/** Runs gobonnie and every installed peer in turns; gives a row for each figure and peer. */
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
      return labels.flatMap((subject) => theirs.flatMap((peer) => buildRows(subject, ours, peer.variant)));
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

/** No rows for figures that the peer cannot measure. */
function buildRows(
  subject: RowSpec,
  ours: Variant<ProgramRates>,
  theirs: Variant<ProgramRates>,
): readonly BenchRow[] {
  if (theirs.turns.length === 0) return [{ ...subject, reason: `${theirs.name} is not on the PATH` }];
  const peer = collectSeries(theirs, (figures) => figures[subject.metric]);
  if (peer.values.length === 0) return [];
  return [{ ...subject, ours: collectSeries(ours, (figures) => figures[subject.metric]), peer }];
}
