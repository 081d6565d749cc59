import { alternate, type Contender, contender, seriesOf } from './alternate.js';
import type { Bench } from './bench.js';
import { inRoom, type Lab } from './lab.js';
import type { Contest, FigureName, Figures, Peer, Room } from './peers/peer.js';
import type { Row, Subject, Target } from './row.js';

/** A figure of the work that makes a row. */
export interface Compared extends Subject {
  readonly figure: FigureName;
  readonly unit: string;
  readonly target: Target;
}

/** Gobonnie and every peer of this machine at the same work in turns; a row for each figure and each peer. */
export function comparison<Job extends Room>(
  { ours: gobonnie, theirs: peers }: Contest<Job>,
  work: Job,
  subjects: readonly Compared[],
): Bench {
  return {
    subjects,
    async run(lab) {
      const ours = turns(gobonnie, work, lab);
      const theirs = await Promise.all(
        peers
          .filter((peer) => peer.can(work))
          .map(async (peer) => ({
            turns: turns(peer, work, lab),
            isHere: (await peer.version(lab.signal)) !== undefined,
          })),
      );
      const present = theirs.filter(({ isHere }) => isHere).map(({ turns }) => turns);
      if (present.length > 0) await alternate([ours, ...present], lab.rounds, lab);
      return subjects.flatMap((subject) => theirs.flatMap((peer) => rowsOf(subject, ours, peer.turns)));
    },
  };
}

function turns<Job extends Room>(peer: Peer<Job>, work: Job, lab: Lab): Contender<Figures> {
  return contender(peer.name, () =>
    inRoom(work, lab, (directory) => peer.measure(work, directory, lab.signal)),
  );
}

/** No row for what the peer cannot do. */
function rowsOf(subject: Compared, ours: Contender<Figures>, theirs: Contender<Figures>): readonly Row[] {
  if (theirs.turns.length === 0) return [{ ...subject, why: `${theirs.name} is not on the PATH` }];
  const peer = seriesOf(theirs, (figures) => figures[subject.figure]);
  if (peer.values.length === 0) return [];
  return [{ ...subject, ours: seriesOf(ours, (figures) => figures[subject.figure]), peer }];
}
