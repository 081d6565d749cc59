import { setTimeout } from 'node:timers/promises';
import { findLeftovers } from './leftovers.js';
import { readMarker } from './marker.js';
import { whyAlive } from './owner.js';

/** Heartbeat interval. Long, because each heartbeat writes to the measured disk. */
export const BEAT_MS = 20_000;

/** What the ranks of a job have left in a directory, and why it may still be used: null if the job is over. */
export interface JobLeftovers {
  readonly paths: readonly string[];
  readonly reason: string | null;
}

/**
 * A living rank writes its marker again now and then, so after a while without a change nobody is left. Clocks are not
 * compared: those of hosts differ.
 */
export async function findJobLeftovers(
  directory: string,
  job: string,
  waitMs: number,
  onWait: () => void = () => {},
): Promise<JobLeftovers> {
  const before = await readMarkers(directory, job);
  const paths = [...before.keys()];
  const aliveReasons = paths.flatMap((place) => before.get(place)?.reason ?? []);
  const isUnsure = [...before.values()].some(({ isElsewhere }) => isElsewhere);
  if (aliveReasons.length > 0 || !isUnsure) return { paths, reason: aliveReasons[0] ?? null };
  onWait();
  await setTimeout(waitMs);
  const after = await readMarkers(directory, job);
  const changed = [...after].find(([place, { text }]) => before.get(place)?.text !== text);
  return {
    paths,
    reason: changed ? `a rank of the job just updated ${changed[0]}, so it is still running` : null,
  };
}

async function readMarkers(directory: string, job: string) {
  const found = await findLeftovers(directory);
  const marks = await Promise.all(
    found
      .filter((one) => one.job === job)
      .map(async (one) => {
        const marker = await readMarker(one.path);
        const reason = marker && whyAlive(marker.owner);
        const isElsewhere = one.reason !== null && reason === null;
        return [one.path, { text: JSON.stringify(marker), reason, isElsewhere }] as const;
      }),
  );
  return new Map(marks);
}
