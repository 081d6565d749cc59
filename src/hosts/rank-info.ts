import * as z from 'zod';
import { optionError } from '../errors.js';
import type { Machine } from '../machine/machine-schema.js';
import type { Options } from '../options/options-schema.js';
import type { Report } from '../report/schema/report.js';
import { minMax } from '../report/statistics/statistics.js';
import { currentOwner } from '../scratch/owner.js';
import { display } from '../text/escape.js';
import { groupBy } from '../text/group-by.js';
import { flag, msg } from '../text/message-template.js';
import { version } from '../version.js';

/** The information that a rank sends to the other ranks before the job begins. */
export const rankInfoSchema = z.object({
  version: z.string(),
  host: z.string(),
  /** Processes of the same boot share a clock. */
  boot: z.string(),
  cores: z.int().positive(),
  memoryBytes: z.int().positive(),
  filesystemBytes: z.number().nonnegative(),
  options: z.record(z.string(), z.unknown()),
});

export type RankInfo = z.infer<typeof rankInfoSchema>;

export function collectRankInfo(
  { hostname, cores, memoryLimitBytes, target }: Machine,
  options: Options,
  seed: unknown,
): RankInfo {
  return {
    version,
    host: hostname,
    boot: currentOwner().boot,
    cores,
    memoryBytes: memoryLimitBytes,
    filesystemBytes: target.totalBytes,
    // Without --seed, each rank has drawn a different seed.
    options: { ...options, seed: seed ?? null },
  };
}

/** Throws if a rank's version or options differ from those of rank 0. */
export function rejectUnlike(all: readonly RankInfo[]): void {
  const [first] = all;
  for (const [rank, other] of all.entries()) {
    if (!first) return;
    const name = `rank ${rank} on ${display(other.host)}`;
    if (other.version !== first.version)
      throw optionError(
        `${name} runs gobonnie ${display(other.version)}, but rank 0 on ${display(first.host)} runs ${first.version}`,
        'install the same version on all hosts',
      );
    for (const option of Object.keys(first.options)) {
      const firstValue = formatValue(first.options[option]);
      const otherValue = formatValue(other.options[option]);
      if (otherValue !== firstValue)
        throw optionError(
          msg`${name} has ${flag(option)} ${otherValue}, but rank 0 has ${firstValue}`,
          'give all ranks the same flags, variables and config file',
        );
    }
  }
}

export function groupByHost(all: readonly RankInfo[]): NonNullable<Report['job']>['hosts'] {
  return groupBy(all, ({ host }) => host).map((ranks) => {
    const [{ host, cores, memoryBytes }] = ranks;
    return { name: host, ranks: ranks.length, cores, memoryBytes };
  });
}

/**
 * Returns the rank whose files each rank reads: a rank on the next host, because a host has its own files in its page
 * cache. If a host has more ranks than all other hosts together, some of its ranks read each other's files.
 */
export function assignSources(all: readonly RankInfo[]): readonly number[] {
  const hosts = groupBy([...all.keys()], (rank) => all[rank]?.host ?? '');
  const byHost = hosts.flat();
  const { max: largest } = minMax(hosts.map(({ length }) => length));
  const next = new Map(byHost.map((rank, at) => [rank, byHost[(at + largest) % all.length]]));
  return [...all.keys()].map((rank) => next.get(rank) ?? rank);
}

/** Counts the ranks per filesystem. Filesystems of the same size count as one. */
export function countRanksPerFilesystem(all: readonly RankInfo[]): Readonly<Record<string, number>> {
  const groups = groupBy(all, ({ filesystemBytes }) => String(filesystemBytes));
  return Object.fromEntries(groups.map((ranks) => [ranks[0].filesystemBytes, ranks.length]));
}

function formatValue(value: unknown): string {
  return typeof value === 'string' ? display(value) : JSON.stringify(value ?? 'none');
}
