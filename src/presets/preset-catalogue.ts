import type { OptionsInput } from '../options/options-schema.js';

/** A well-known benchmark, as options. */
export interface Preset {
  /** Its tests, and the time they take. */
  readonly title: string;
  /** The original with its version, and where its tests are defined. */
  readonly source: { readonly name: string; readonly url: string };
  readonly differs: string;
  /** The steps are written like values of --step. */
  readonly options: OptionsInput & { readonly steps?: readonly string[] };
  /** Conditions that answer the preset's question. */
  readonly expect?: readonly string[];
}

/** A slow disk lays out less data. */
export const MAX_LAYOUT_SECONDS = 6;

const ROUNDS = 5;

/** CrystalDiskMark's tests. `size` limits the writes of a round: all rounds write at most 1.6 GiB. */
const DISK_MARK_TESTS = {
  'seq1m-q8t1': { settings: 'block-size=1m,threads=1,depth=8', size: '112M' },
  'seq1m-q1t1': { settings: 'block-size=1m,threads=1', size: '112M' },
  'seq128k-q32t1': { settings: 'block-size=128k,threads=1,depth=32', size: '112M' },
  'rnd4k-q32t1': { settings: 'io-size=4k,threads=1,depth=32', size: '64M' },
  'rnd4k-q32t16': { settings: 'io-size=4k,threads=16,depth=32', size: '64M' },
  'rnd4k-q1t1': { settings: 'io-size=4k,threads=1', size: '32M' },
};

/** Some of CrystalDiskMark's tests, each for some seconds. */
function diskMark(
  title: string,
  names: readonly (keyof typeof DISK_MARK_TESTS)[],
  seconds = 0.55,
  note = '',
) {
  const steps = names.flatMap((name) => {
    const { settings, size } = DISK_MARK_TESTS[name];
    const isRandom = name.startsWith('rnd');
    const read = isRandom ? 'random,mix=100' : 'read';
    const write = isRandom ? 'random,mix=0' : 'write';
    const common = `${settings},seconds=${seconds}`;
    return [`${read},name=${name}.read,${common}`, `${write},name=${name}.write,${common},size=${size}`];
  });
  return {
    title,
    source: { name: 'CrystalDiskMark 9.0.1', url: 'https://crystalmark.info/en/software/crystaldiskmark/' },
    differs: `the mean and interval of ${ROUNDS} rounds instead of the best of 3 runs, no pauses, ${seconds} s and at most 176 MiB of writes per test, and without io_uring a thread for each operation in flight${note}`,
    options: { runs: ROUNDS, direct: true, stonewall: MAX_LAYOUT_SECONDS, steps },
  };
}

/** Like in the original, a test ends when its two jobs have moved 2 GiB each. */
const YABS_SETTINGS = 'threads=2,depth=64,mix=50,direct,seconds=30,size=4';

/** pg_test_fsync's methods in its order, without fsync_writethrough: open_datasync, fdatasync, fsync, open_sync. */
const FSYNC_METHODS = [
  ['o_dsync', ',direct'],
  ['fdatasync', ''],
  ['fsync', ''],
  ['o_sync', ',direct'],
];

export const presets = {
  crystaldiskmark: diskMark(
    'sequential 1 MiB and random 4 KiB, queued and one at a time; about 30 s, writes at most 4 GiB',
    ['seq1m-q8t1', 'seq1m-q1t1', 'rnd4k-q32t1', 'rnd4k-q1t1'],
  ),
  'crystaldiskmark-nvme': diskMark(
    'the profile for NVMe SSDs, with deeper queues; about 30 s, writes at most 4 GiB',
    ['seq1m-q8t1', 'seq128k-q32t1', 'rnd4k-q32t16', 'rnd4k-q1t1'],
    0.55,
    ': up to 512, if RAM allows 13 MiB each',
  ),
  'crystaldiskmark-flash': diskMark(
    'the profile for flash memory, with shorter tests; about 25 s, writes at most 4 GiB',
    ['seq1m-q8t1', 'seq1m-q1t1', 'rnd4k-q32t1', 'rnd4k-q1t1'],
    0.5,
  ),
  'crystaldiskmark-real': diskMark(
    'the real world profile, one operation at a time; about 15 s, writes at most 3 GiB',
    ['seq1m-q1t1', 'rnd4k-q1t1'],
  ),
  yabs: {
    title:
      'random reads and writes, half and half, of 4 KiB to 1 MiB; up to 2 min and the time to write 2 GiB, writes at most 10 GiB',
    source: { name: 'yabs.sh v2023-04-23', url: 'https://github.com/masonr/yet-another-bench-script' },
    differs:
      'without io_uring 128 threads instead of 2 queues of 64 operations, and MB/s of 10^6 bytes, as yabs.sh since 2026-07-03',
    options: {
      size: 2,
      steps: ['4k', '64k', '512k', '1m'].map(
        (ioSize) => `random,name=rnd${ioSize}-q64t2.mix,io-size=${ioSize},${YABS_SETTINGS}`,
      ),
    },
  },
  gobonniego: {
    title: 'sequential write and read of up to 8 GiB, then IOPS for 15 s; a minute, longer on a slow disk',
    source: { name: 'gobonniego 1.0.10', url: 'https://github.com/cunnie/gobonniego' },
    differs:
      "also the disk's own rate, without the part that the page cache served; at most 8 GiB where the page cache can be emptied, instead of twice the RAM",
    options: { phases: ['write', 'read', 'iops'], blockSize: '64k', ioSize: 512, mix: 90, iopsDuration: 15 },
  },
  etcd: {
    title: 'small writes, each with fdatasync: fast enough for etcd if its p99 is below 10 ms; at most 1 min',
    source: { name: 'etcd 3.6', url: 'https://etcd.io/docs/v3.6/op-guide/hardware/' },
    differs:
      'writes of 2,304 bytes, a multiple of 256, instead of 2,300; exit code 3 if the p99 of fdatasync is 10 ms or more',
    options: {
      size: '22M',
      steps: ['write-new,name=wal.write,block-size=2304,threads=1,sync-per-write=fdatasync,seconds=60'],
    },
    expect: ['wal.write.sync.p99<10ms'],
  },
  'pg-test-fsync': {
    title: 'each sync method of PostgreSQL after 8 and 16 KiB; about 40 s, writes at most 9 GiB',
    source: { name: 'pg_test_fsync 18', url: 'https://www.postgresql.org/docs/18/pgtestfsync.html' },
    differs:
      'one write of 16 KiB instead of two of 8 KiB, writes continue through 1 GiB of data instead of repeating one place, and these tests are left out: fsync_writethrough, open_sync in other sizes, fsync on another file descriptor, unsynced writes',
    options: {
      size: 1,
      steps: ['8k', '16k'].flatMap((size) =>
        FSYNC_METHODS.map(
          ([method, direct]) =>
            `write,name=${method}-${size}.write,block-size=${size},threads=1,sync-per-write=${method}${direct},seconds=5`,
        ),
      ),
    },
  },
} as const satisfies Readonly<Record<string, Preset>>;

export type PresetName = keyof typeof presets;
