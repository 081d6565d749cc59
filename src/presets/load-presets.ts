import { BESIDE_NAME, BESIDE_SIGN } from '../options/option-catalogue.js';
import type { OptionsInput } from '../options/options-schema.js';
import { MAX_LAYOUT_SECONDS, type Preset } from './preset-catalogue.js';

/** Loads that slow down other work. A copy keeps several requests in flight. */
const BACKGROUNDS = {
  writer: 'write,block-size=1m,threads=1,depth=4,direct',
  reader: 'read,block-size=1m,threads=1,depth=4,direct',
  syncs: 'random,io-size=4k,mix=0,threads=4,depth=1,direct=false,sync-per-write=fsync',
};

/** Twelve steps of this length, with the time in which each background builds up, take about 40 s. */
const SHORT_SECONDS = 2.5;

/** Work that a person waits for, alone and beside each background. */
export const mixedLoad = {
  size: 1,
  stonewall: MAX_LAYOUT_SECONDS,
  direct: true,
  steps: [
    ...besides('commit', 'commit-etcd', BACKGROUNDS, SHORT_SECONDS),
    ...besides('read', 'random,io-size=4k,mix=100,threads=1,depth=1,direct', BACKGROUNDS, SHORT_SECONDS),
    ...besides('open', 'open,io-size=16k,direct', BACKGROUNDS, SHORT_SECONDS),
  ],
} as const satisfies OptionsInput;

/** Options of steps that read or overwrite data, which is laid out first. */
const DATA = { size: 0.5, stonewall: MAX_LAYOUT_SECONDS };
const SYNCED = 'threads=1,direct=false,sync-per-write=fdatasync';

/**
 * The work of programs on a disk, alone and beside their own work in the background. The limits are from their
 * documentation. PostgreSQL and Kafka document no limit, so they have no preset.
 */
export const loadPresets = {
  etcd: {
    title: "etcd's log, beside the commits of its database every 100 ms",
    source: { name: 'etcd 3.5', url: 'https://etcd.io/docs/v3.5/faq/' },
    differs:
      'a commit of the database writes one page; exit code 3 from a p99 of 10 ms (log) or 25 ms (database) on',
    options: {
      ...DATA,
      steps: besides('commit', 'commit-etcd', {
        backend: `random,io-size=4k,mix=0,interval=100ms,${SYNCED}`,
      }),
    },
    expect: ['commit.sync.p99<10ms', 'commit.beside-backend.sync.p99<10ms', 'backend.beside-commit.p99<25ms'],
  },
  'redis-aof': {
    title: "Redis' append-only file, beside its rewrite, which syncs after every 4 MiB",
    source: {
      name: 'Redis 7',
      url: 'https://redis.io/docs/latest/operate/oss_and_stack/management/optimization/latency/',
    },
    differs:
      'syncs without a pause instead of every second; exit code 3 if a sync takes 2 s, for which Redis waits',
    options: {
      ...DATA,
      steps: besides('append', `write,block-size=4k,${SYNCED}`, {
        rewrite: `write,block-size=4m,${SYNCED}`,
      }),
    },
    expect: ['append.sync.max<2s', 'append.beside-rewrite.sync.max<2s'],
  },
  sqlite: {
    title: 'commits of SQLite with a write-ahead log, beside a reader',
    source: { name: 'SQLite', url: 'https://www.sqlite.org/faq.html#q19' },
    differs: 'exit code 3 below 60 commits a second, which SQLite expects of a hard disk of 7,200 rpm',
    options: {
      ...DATA,
      steps: besides('commit', 'commit-wal', { reader: 'random,io-size=4k,mix=100,threads=1,direct' }),
    },
    expect: ['commit>=60', 'commit.beside-reader>=60'],
  },
} as const satisfies Readonly<Record<string, Preset>>;

/** Returns a step alone, then the same step beside each of the loads. */
function besides(name: string, step: string, loads: Readonly<Record<string, string>>, seconds = 10) {
  const named = (stepName: string) => `${step},name=${stepName},seconds=${seconds}`;
  const loaded = Object.entries(loads).map(([load, settings]) => {
    const beside = `${settings},name=${load}${BESIDE_NAME}${name}`;
    return `${named(`${name}${BESIDE_NAME}${load}`)}${BESIDE_SIGN}${beside}`;
  });
  return [named(name), ...loaded];
}
