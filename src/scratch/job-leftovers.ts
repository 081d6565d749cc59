import { setTimeout } from 'node:timers/promises';
import { findLeftovers } from './leftovers.js';
import { readMarker } from './marker.js';
import { whyAlive } from './owner.js';

/** Heartbeat interval. Long, because each heartbeat writes to the measured disk. */
export const BEAT_MS = 20_000;

/** Scratch directories of a job's ranks. */
export interface JobLeftovers {
  readonly paths: readonly string[];
  /** Why the job may still be running. Null if it has ended. */
  readonly reason: string | null;
}

/**
 * Finds a job's leftovers. A live rank rewrites its marker regularly, so the job has ended if no marker changes in
 * `waitMs`. Does not compare times, because hosts' clocks differ.
 */
export async function findJobLeftovers(
  directory: string,
  job: string,
  waitMs: number,
  onWait: () => void = () => {},
): Promise<JobLeftovers> {
  const before = await readMarkers(directory, job);
  const paths = [...before.keys()];
  const aliveReasons = [...before.values()].map(({ reason }) => reason).filter((reason) => reason !== null);
  const isUnsure = [...before.values()].some(({ isElsewhere }) => isElsewhere);
  if (aliveReasons.length > 0 || !isUnsure) return { paths, reason: aliveReasons[0] ?? null };
  onWait();
  await setTimeout(waitMs);
  const after = await readMarkers(directory, job);
  const changed = [...after].find(([path, { text }]) => before.get(path)?.text !== text);
  return {
    paths,
    reason: changed ? `a rank of the job just updated ${changed[0]}, so it is still running` : null,
  };
}

async function readMarkers(directory: string, job: string) {
  const found = await findLeftovers(directory);
  const markers = await Promise.all(
    found
      .filter((one) => one.job === job)
      .map(async (one) => {
        const marker = await readMarker(one.path);
        const reason = marker && whyAlive(marker.owner);
        const isElsewhere = one.reason !== null && reason === null;
        return [one.path, { text: JSON.stringify(marker), reason, isElsewhere }] as const;
      }),
  );
  return new Map(markers);
}
