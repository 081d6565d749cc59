import os from 'node:os';
import * as z from 'zod';
import { GobonnieError } from '../errors.js';
import type { Machine } from '../machine/machine.js';
import type { Options, OptionsInput } from '../options/schema.js';
import { endsOf } from '../report/measure/range.js';
import type { Report } from '../report/schema/report.js';
import { ownOwner } from '../scratch/owner.js';
import { shown } from '../text/escape.js';
import { groupsOf } from '../text/groups.js';
import { flag, sentence } from '../text/sentence.js';
import { version } from '../version.js';

/** What a rank tells the others before the job begins. */
export const factsSchema = z.object({
  version: z.string(),
  host: z.string(),
  /** Processes of one boot have one clock. */
  boot: z.string(),
  cores: z.int().positive(),
  memoryBytes: z.int().positive(),
  filesystemBytes: z.number().nonnegative(),
  options: z.record(z.string(), z.unknown()),
});

export type Facts = z.infer<typeof factsSchema>;

export function factsOf(
  { cores, memoryLimitBytes, target }: Machine,
  options: Options,
  { seed }: OptionsInput,
): Facts {
  return {
    version,
    host: os.hostname(),
    boot: ownOwner().boot,
    ...{ cores, memoryBytes: memoryLimitBytes, filesystemBytes: target.totalBytes },
    // Without --seed each has drawn another one.
    options: { ...options, seed: seed ?? null },
  };
}

/** All ranks must do the same. */
export function refuseUnlike(all: readonly Facts[]): void {
  const [first] = all;
  for (const [rank, other] of all.entries()) {
    if (!first) return;
    const name = `rank ${rank} on ${shown(other.host)}`;
    if (other.version !== first.version)
      throw new GobonnieError(
        'option-invalid',
        `${name} is gobonnie ${shown(other.version)}, and rank 0 on ${shown(first.host)} is ${first.version}`,
        'install the same version on all hosts',
      );
    for (const option of Object.keys(first.options)) {
      const [here, there] = [first, other].map(({ options }) => valueText(options[option]));
      if (here !== there)
        throw new GobonnieError(
          'option-invalid',
          sentence`${name} has ${flag(option)} ${there ?? ''}, and rank 0 has ${here ?? ''}`,
          'give all ranks the same flags, variables and config file',
        );
    }
  }
}

export function hostsOf(all: readonly Facts[]): NonNullable<Report['job']>['hosts'] {
  return groupsOf(all, ({ host }) => host).map((ranks) => {
    const [{ host, cores, memoryBytes }] = ranks;
    return { name: host, ranks: ranks.length, cores, memoryBytes };
  });
}

/**
 * Whose files each rank uses: those of one on the next host, so that no host reads what is in its own memory. If a host
 * has more ranks than all others together, some of its ranks use each other's.
 */
export function sourcesOf(all: readonly Facts[]): readonly number[] {
  const hosts = groupsOf([...all.keys()], (rank) => all[rank]?.host ?? '');
  const byHost = hosts.flat();
  const [, largest] = endsOf(hosts.map(({ length }) => length));
  const next = new Map(byHost.map((rank, at) => [rank, byHost[(at + largest) % all.length]]));
  return [...all.keys()].map((rank) => next.get(rank) ?? rank);
}

/** How many ranks have their data on the same filesystem, as far as its size tells. */
export function sharersOf(all: readonly Facts[]): Readonly<Record<string, number>> {
  const groups = groupsOf(all, ({ filesystemBytes }) => String(filesystemBytes));
  return Object.fromEntries(groups.map((ranks) => [ranks[0].filesystemBytes, ranks.length]));
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? shown(value) : JSON.stringify(value ?? 'none');
}
