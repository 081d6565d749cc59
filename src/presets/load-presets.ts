import { BESIDE_NAME } from '../options/option-catalogue.js';
import { flag } from '../text/message-template.js';
import { validateChoice } from '../text/suggest.js';
import type { Preset } from './preset-catalogue.js';

const SECONDS = 10;
/** Reads and writes of data that is laid out first; a slow disk lays out less. */
const DATA = { size: 0.5, stonewall: 6 };

/**
 * What programs ask of a disk, alone and beside their own work in the background. The limits are those of their own
 * documentation: PostgreSQL and Kafka name none, so they have no preset.
 */
export const loadPresets = {
  etcd: {
    title: "etcd's log, beside the commits of its database every 100 ms",
    source: { name: 'etcd 3.5', url: 'https://etcd.io/docs/v3.5/faq/' },
    differs:
      'a commit of the database writes one page; exit code 3 from a p99 of 10 ms (log) or 25 ms (database) on',
    options: {
      ...DATA,
      steps: besides('commit', 'commit-etcd', 'backend', 'random,io-size=4k,mix=0,interval=100ms'),
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
      steps: besides('append', 'write,block-size=4k,threads=1', 'rewrite', 'write,block-size=4m'),
    },
    expect: ['append.sync.max<2s', 'append.beside-rewrite.sync.max<2s'],
  },
  sqlite: {
    title: 'commits of SQLite with a write-ahead log, beside a reader',
    source: { name: 'SQLite', url: 'https://www.sqlite.org/faq.html#q19' },
    differs: 'exit code 3 below 60 commits a second, which SQLite expects of a hard disk of 7,200 rpm',
    options: {
      ...DATA,
      steps: besides('commit', 'commit-wal', 'reader', 'random,io-size=4k,mix=100,direct'),
    },
    expect: ['commit>=60', 'commit.beside-reader>=60'],
  },
} as const satisfies Readonly<Record<string, Preset>>;

/** Returns a step alone, and the same step beside another of one thread. Writes are synced one by one. */
function besides(name: string, foreground: string, background: string, load: string): readonly string[] {
  const sync = (step: string) =>
    /^write|mix=0/.test(step) ? `${step},sync-per-write=fdatasync,direct=false` : step;
  const loaded = `${name}${BESIDE_NAME}${background}`;
  const step = (stepName: string) => `${sync(foreground)},name=${stepName},seconds=${SECONDS}`;
  return [step(name), `${step(loaded)}+${sync(load)},threads=1,name=${background}${BESIDE_NAME}${name}`];
}

export type LoadPresetName = keyof typeof loadPresets;

export function parseLoadPresetName(name: string): LoadPresetName {
  return validateChoice(loadPresets, name, flag('preset', name));
}
