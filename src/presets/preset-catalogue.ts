import type { OptionsInput } from '../options/options-schema.js';
import type { StepInput } from '../options/step-schema.js';
import { validateChoice } from '../text/choice.js';
import { flag } from '../text/message-template.js';

export type PresetOptions = OptionsInput & { readonly steps?: readonly StepInput[] };

/** A benchmark that people know, as options. */
export interface Preset {
  /** Its tests, and the time they take. */
  readonly title: string;
  /** Where the tests are defined. */
  readonly source: { readonly tool: string; readonly version: string; readonly url: string };
  /** The differences from the original. */
  readonly differs: string;
  readonly options: PresetOptions;
}

/** CrystalDiskMark's tests. Each random operation and each block is one of `threads` operations in flight. */
const DISK_MARK_TESTS = {
  'seq1m-q8t1': { blockSize: '1m', threads: 8 },
  'seq1m-q1t1': { blockSize: '1m', threads: 1 },
  'seq128k-q32t1': { blockSize: '128k', threads: 32 },
  'rnd4k-q32t1': { ioSize: '4k', threads: 32 },
  'rnd4k-q32t16': { ioSize: '4k', threads: 512 },
  'rnd4k-q1t1': { ioSize: '4k', threads: 1 },
} as const satisfies Readonly<Record<string, Omit<StepInput, 'phase'>>>;

type DiskMarkTest = keyof typeof DISK_MARK_TESTS;

/** Limits of one round: with them, three rounds write at most 960 MiB to the 1 GiB that was laid out before. */
const MAX_WRITTEN = { sequential: '112M', queued: '64M', single: '32M' } as const;

/** Returns the read and the write step of each test. */
function diskMarkSteps(names: readonly DiskMarkTest[], seconds: number): readonly StepInput[] {
  return names.flatMap((name) => {
    const test = DISK_MARK_TESTS[name];
    const isRandom = 'ioSize' in test;
    const randomLimit = test.threads > 1 ? MAX_WRITTEN.queued : MAX_WRITTEN.single;
    const size = isRandom ? randomLimit : MAX_WRITTEN.sequential;
    const read: StepInput = isRandom ? { phase: 'random', mix: 100 } : { phase: 'read' };
    const write: StepInput = isRandom ? { phase: 'random', mix: 0 } : { phase: 'write' };
    return [
      { ...read, ...test, name: `${name}.read`, seconds },
      { ...write, ...test, name: `${name}.write`, seconds, size },
    ];
  });
}

function diskMarkOptions(names: readonly DiskMarkTest[], seconds = 1.1): PresetOptions {
  return { size: 1, runs: 3, direct: true, steps: diskMarkSteps(names, seconds) };
}

const DISK_MARK_SOURCE = {
  tool: 'CrystalDiskMark',
  version: '9.0.1',
  url: 'https://crystalmark.info/en/software/crystaldiskmark/',
};
const DISK_MARK_DIFFERS =
  'the mean and interval of 3 rounds instead of the best of 3 runs, about 1 s per test instead of 5 s, at most 112 MiB per write, and threads instead of a queue';

/** Runs fio's mixed tests for as long as the original: until 2 GiB per job have moved, at most 30 s. */
const YABS_STEPS = ['4k', '64k', '512k', '1m'].map(
  (ioSize): StepInput => ({
    phase: 'random',
    name: `rnd${ioSize}-q64t2.mix`,
    ioSize,
    threads: 128,
    mix: 50,
    direct: true,
    seconds: 30,
    size: 4,
  }),
);

/** pg_test_fsync's order, with one and with two writes of 8 KiB per sync. */
const FSYNC_STEPS = ['8k', '16k'].flatMap((blockSize) =>
  (['o_dsync', 'fdatasync', 'fsync', 'o_sync'] as const).map(
    (syncPerWrite): StepInput => ({
      phase: 'write',
      name: `${syncPerWrite}-${blockSize}.write`,
      blockSize,
      threads: 1,
      syncPerWrite,
      seconds: 5,
    }),
  ),
);

/** Every preset, one row each. */
export const presets = {
  crystaldiskmark: {
    title: 'sequential 1 MiB and random 4 KiB, queued and one at a time; about 30 s, writes at most 2 GiB',
    source: DISK_MARK_SOURCE,
    differs: DISK_MARK_DIFFERS,
    options: diskMarkOptions(['seq1m-q8t1', 'seq1m-q1t1', 'rnd4k-q32t1', 'rnd4k-q1t1']),
  },
  'crystaldiskmark-nvme': {
    title: 'the profile for NVMe SSDs: deeper queues; about 30 s, writes at most 2 GiB',
    source: DISK_MARK_SOURCE,
    differs: `${DISK_MARK_DIFFERS}: memory limits the 512 threads of 16 queues, at 13 MiB each`,
    options: diskMarkOptions(['seq1m-q8t1', 'seq128k-q32t1', 'rnd4k-q32t16', 'rnd4k-q1t1']),
  },
  'crystaldiskmark-flash': {
    title: 'the profile for flash memory: 1 s per test; about 25 s, writes at most 2 GiB',
    source: DISK_MARK_SOURCE,
    differs:
      'the mean and interval of 3 rounds instead of the best of 3 runs, no pauses of 30 s, at most 112 MiB per write, and threads instead of a queue',
    options: diskMarkOptions(['seq1m-q8t1', 'seq1m-q1t1', 'rnd4k-q32t1', 'rnd4k-q1t1'], 1),
  },
  'crystaldiskmark-real': {
    title: 'the real world profile: one operation at a time; about 15 s, writes at most 2 GiB',
    source: DISK_MARK_SOURCE,
    differs: DISK_MARK_DIFFERS,
    options: diskMarkOptions(['seq1m-q1t1', 'rnd4k-q1t1']),
  },
  yabs: {
    title: 'random reads and writes half and half, 4 KiB to 1 MiB; about 2 min, writes about 10 GiB',
    source: {
      tool: 'yabs.sh',
      version: 'v2023-04-23',
      url: 'https://github.com/masonr/yet-another-bench-script',
    },
    differs: 'threads instead of 2 queues of 64, and MB/s of 10^6 bytes instead of 1,024,000 bytes',
    options: { size: 2, runs: 1, steps: YABS_STEPS },
  },
  gobonniego: {
    title: 'sequential write and read of twice the RAM, then IOPS for 15 s; minutes to hours',
    source: { tool: 'gobonniego', version: '1.0.10', url: 'https://github.com/cunnie/gobonniego' },
    differs: "the disk's own rate is reported besides gobonniego's, which may include the page cache",
    options: {
      phases: ['write', 'read', 'iops'],
      runs: 1,
      blockSize: '64k',
      ioSize: 512,
      mix: 90,
      iopsDuration: 15,
    },
  },
  etcd: {
    title: 'small writes, each with fdatasync: good for etcd if p99 is below 10 ms; at most 1 min',
    source: { tool: 'etcd', version: '3.6', url: 'https://etcd.io/docs/v3.6/op-guide/hardware/' },
    differs:
      'blocks are multiples of 256 bytes, so a write has 2,304 bytes instead of 2,300, over data that is laid out before',
    options: {
      size: '22M',
      runs: 1,
      blockSize: 2304,
      steps: [{ phase: 'write', name: 'wal.write', threads: 1, syncPerWrite: 'fdatasync', seconds: 60 }],
    },
  },
  'pg-test-fsync': {
    title: 'each sync method of PostgreSQL after 8 and 16 KiB, 5 s each; about 40 s, writes at most 9 GiB',
    source: {
      tool: 'pg_test_fsync',
      version: '18',
      url: 'https://www.postgresql.org/docs/18/pgtestfsync.html',
    },
    differs:
      'two writes per sync are one write of 16 KiB, and writes go on through 1 GiB of data instead of repeating at its start',
    options: { size: 1, runs: 1, steps: FSYNC_STEPS },
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;

export function parsePresetName(name: string): PresetName {
  return validateChoice(presets, name, flag('preset', name));
}

export function presetOptions(name: PresetName): PresetOptions {
  return presets[name].options;
}
