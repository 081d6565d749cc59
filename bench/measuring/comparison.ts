import type { Bench } from '../context.js';
import { type BenchContext, inNewDirectory } from '../context.js';
import type { Contest, FigureName, Figures, Peer, Space } from '../peers/peer.js';
import type { Row, Subject, Target } from '../row.js';
import { alternate, type Contender, contender, seriesOf } from './alternate.js';

/** A row of the table for one figure of the work. */
export interface Compared extends Subject {
  readonly metric: FigureName;
  readonly unit: string;
  readonly target: Target;
}

/** Runs gobonnie and every installed peer in turns; gives a row for each figure and peer. */
export function comparison<Job extends Space>(
  { ours: gobonnie, theirs: peers }: Contest<Job>,
  work: Job,
  subjects: readonly Compared[],
): Bench {
  return {
    subjects,
    async run(context) {
      const ours = turns(gobonnie, work, context);
      const theirs = await Promise.all(
        peers
          .filter((peer) => peer.can(work))
          .map(async (peer) => ({
            turns: turns(peer, work, context),
            isHere: (await peer.version(context.signal)) !== undefined,
          })),
      );
      const present = theirs.filter(({ isHere }) => isHere).map(({ turns }) => turns);
      if (present.length > 0) await alternate([ours, ...present], context.rounds, context);
      return subjects.flatMap((subject) => theirs.flatMap((peer) => rowsOf(subject, ours, peer.turns)));
    },
  };
}

function turns<Job extends Space>(peer: Peer<Job>, work: Job, context: BenchContext): Contender<Figures> {
  return contender(peer.name, () =>
    inNewDirectory(work, context, (directory) => peer.measure(work, directory, context.signal)),
  );
}

/** No rows for figures that the peer cannot measure. */
function rowsOf(subject: Compared, ours: Contender<Figures>, theirs: Contender<Figures>): readonly Row[] {
  if (theirs.turns.length === 0) return [{ ...subject, why: `${theirs.name} is not on the PATH` }];
  const peer = seriesOf(theirs, (figures) => figures[subject.metric]);
  if (peer.values.length === 0) return [];
  return [{ ...subject, ours: seriesOf(ours, (figures) => figures[subject.metric]), peer }];
}
