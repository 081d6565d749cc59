import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Bench } from './bench-context.js';

export interface BenchOptions {
  readonly rounds: number;
  /** Names of the rows to measure. */
  readonly only: ReadonlySet<string>;
  /** A directory on the disk for the direct rows. */
  readonly dir: string;
}

/** Parses `--rounds 5 --only iops,write --dir /mnt/disk`. By default, all rows and the temporary directory. */
export function parseOptions(argv: readonly string[], benches: readonly Bench[]): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rounds: { type: 'string', default: '5' },
      only: { type: 'string' },
      dir: { type: 'string', default: tmpdir() },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new Error(`invalid --rounds ${values.rounds}: expected a whole number above 0`);
  const known = new Set(benches.flatMap(({ labels }) => labels.map(({ name }) => name)));
  const only = new Set(values.only?.split(',') ?? known);
  for (const name of only) {
    if (!known.has(name)) throw new Error(`unknown --only ${name}: expected one of ${[...known].join(', ')}`);
  }
  return { rounds, only, dir: resolve(values.dir) };
}
