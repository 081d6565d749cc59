import { Unavailable } from '../bench-row.js';

const FORMAT = '1.98';
const FIELDS = 50;
/** bonnie++ prints this instead of a result if the test took less than half a second. */
const TOO_QUICK = '+++++';
/** bonnie++ prints byte rates in KiB/s. */
const KIB_IN_MB = 1024 / 1e6;

const CELLS = {
  putc: { field: 9, factor: KIB_IN_MB },
  write: { field: 11, factor: KIB_IN_MB },
  rewrite: { field: 13, factor: KIB_IN_MB },
  getc: { field: 15, factor: KIB_IN_MB },
  read: { field: 17, factor: KIB_IN_MB },
  seeks: { field: 19, factor: 1 },
  create: { field: 26, factor: 1 },
  stat: { field: 28, factor: 1 },
  delete: { field: 30, factor: 1 },
  'create-random': { field: 32, factor: 1 },
  'stat-random': { field: 34, factor: 1 },
  'delete-random': { field: 36, factor: 1 },
} as const;

export type BonnieMetric = keyof typeof CELLS;

/** Parses results from the CSV line of bonnie++ and gobonnie bonnie++. */
export function parseBonnieCsv(
  stdout: string,
  requested: readonly BonnieMetric[],
): { readonly [name in BonnieMetric]?: number } {
  const line = stdout.trimEnd();
  const cells = line.split(',');
  if (cells.length !== FIELDS || cells[0] !== FORMAT)
    throw new Error(`expected a CSV line of format ${FORMAT}: ${line}`);
  return Object.fromEntries(requested.map((name) => [name, parseCell(name, cells)]));
}

function parseCell(name: BonnieMetric, cells: readonly string[]): number {
  const { field, factor } = CELLS[name];
  const cell = cells[field];
  // A ratio needs both results of every round, so a missing result fails the whole bench.
  if (cell === TOO_QUICK) throw new Unavailable(`${cells[1]} did ${name} in less than half a second`);
  const rate = Number(cell);
  if (!(rate > 0)) throw new Error(`${cells[1]} printed ${JSON.stringify(cell)} for ${name}`);
  return factor * rate;
}
