import { describe, expect, test } from 'vitest';
import { planText } from '../../../../src/format/human/commands/plan-text.js';
import { MAX_DURATION_SECONDS } from '../../../../src/options/option-catalogue.js';
import type { OptionsInput } from '../../../../src/options/options-schema.js';
import { GIB } from '../../../../src/text/units.js';
import { planWith } from '../../../support/data/fixtures.js';

test('the plan shows target, files, access, phases, estimated times and seed', () => {
  expect(planText(planWith({ size: 3, threads: 4 }))).toBe(
    [
      'Would measure in /mnt/disk',
      '  filesystem: ext4 on /dev/vda mounted at /mnt, 500 GiB free',
      '  threads: 4, one file each:',
      '    bonnie.0 to bonnie.3: 768 MiB each',
      '  access: through the page cache (--cache auto)',
      '  steps, one run:',
      '    write: 3 GiB in blocks of 64 KiB, 4 threads',
      '    read: 3 GiB in blocks of 64 KiB, 4 threads',
      '    iops: 15 s of random operations of 512 bytes, 4 threads',
      '  a run: writes about 3 GiB, roughly',
      '    1 min 3 s on a hard disk at 150 MB/s',
      '    33 s on a SATA SSD at 500 MB/s',
      '    23 s on an NVMe SSD at 2000 MB/s',
      '  seed: 42',
      'Nothing was written.',
      '',
    ].join('\n'),
  );
});

/** Returns the lines that list the phases. */
function phaseLines(options: OptionsInput): readonly string[] {
  const [, listed = ''] = /\n {2}steps, .*:\n((?: {4}.*\n)+)/.exec(planText(planWith(options))) ?? [];
  return listed.trim().split(/\n */);
}

test('phases are listed in the requested order, each with its amount of work', () => {
  const options = { size: 1, threads: 2, files: 1000, fileSize: '4k', seeks: 4000, byteSize: '20m' };
  const phases = 'putc,write,rewrite,getc,read,seeks,create,stat,delete';
  expect(phaseLines({ ...options, phases })).toEqual([
    'putc: 20 MiB byte by byte, 2 threads',
    'write: 1 GiB in blocks of 64 KiB, 2 threads',
    'rewrite: 1 GiB in blocks of 64 KiB, 2 threads',
    'getc: 20 MiB byte by byte, 2 threads',
    'read: 1 GiB in blocks of 64 KiB, 2 threads',
    'seeks: 4000 random blocks of 64 KiB, 2 threads',
    'create: 1000 files of up to 4 KiB, 2 threads',
    'stat: 1000 files, 2 threads',
    'delete: 1000 files, 2 threads',
  ]);
});

test.each([
  ['write', '6.7 s'],
  // The duration of the other phases does not depend on the disk's rate.
  ['write,getc,seeks,create', '6.7 s'],
  ['write,iops', '27 s'],
])('the estimated time of %s is %s on a hard disk', (phases, time) => {
  const text = planText(planWith({ size: 1_000_000_000 / GIB, blockSize: '1000k', phases }));
  expect(text).toContain(`\n    ${time} on a hard disk at 150 MB/s\n`);
});

describe('the plan of a list of steps', () => {
  const ETCD = 'write-new,name=wal,block-size=2304,threads=1,sync-per-write=fdatasync,seconds=60';

  test('counts the syncs after each write in the time, up to the limit of the step', () => {
    const text = planText(planWith({ size: '22M', steps: ETCD }));
    expect(text).toContain(
      [
        '  one file for all steps:',
        '    bonnie.0: 22 MiB',
        '  access: through the page cache (--cache auto)',
        '  steps, one run:',
        '    wal: 22 MiB in blocks of 2.3 KiB, for at most 1 min 0 s, 1 thread, fdatasync per write',
        '  a run: writes at most 22 MiB, roughly',
        '    1 min 0 s on a hard disk at 150 MB/s',
        '    10 s on a SATA SSD at 500 MB/s',
      ].join('\n'),
    );
  });

  test('names the interval and the pause of a step, and counts the pause in the time', () => {
    const text = planText(planWith({ size: '22M', steps: 'write-new,threads=1,interval=2,pause=500s' }));
    expect(text).toContain(
      ' one every 2 s per thread, for at most 15 s, 1 thread, after a pause of 8 min 20 s\n',
    );
    expect(text).toContain('\n    8 min 35 s on an NVMe SSD');
  });

  test.each([
    ['read,direct', 'direct, bypassing the page cache'],
    ['read,direct write', 'direct where a step says so, otherwise through the page cache (--cache auto)'],
    ['read', 'through the page cache (--cache auto)'],
  ])('names the access of the steps %s: %s', (steps, access) => {
    expect(planText(planWith({ size: 1, steps }))).toContain(`\n  access: ${access}\n`);
  });
});

test('random operations on data that RAM holds are measured again with direct I/O for a third of the time', () => {
  const facts = { memoryLimitBytes: 8 * GIB, target: { acceptsDirect: null } };
  const text = (size: number) => planText(planWith({ size, phases: 'write,iops' }, facts));
  expect(text(1)).toContain('\n    22 s on a SATA SSD');
  expect(text(16)).toContain('\n    49 s on a SATA SSD');
});

/** Options, facts about the target, and a part of the plan's text. */
const PARTS: readonly (readonly [OptionsInput, object, string])[] = [
  [
    { size: 1, threads: 4, oneFile: true },
    {},
    '\n  threads: 4, sharing one file:\n    bonnie.0: 1 GiB, about 256 MiB each\n',
  ],
  [{ size: 1, threads: 1 }, {}, '\n    bonnie.0: 1 GiB\n  access: '],
  [
    { size: 1, threads: 1, phases: 'write,create' },
    {},
    ': 1 GiB\n  files of single steps: at most 64 MiB\n  access: ',
  ],
  [
    { packages: 10, phases: 'install,commit-wal' },
    {},
    ' free\n  files of single steps: at most 69.5 MiB\n  access: ',
  ],
  [{ size: 1, phases: 'putc' }, {}, '    putc: 1 GiB byte by byte, 4 threads\n'],
  [{ size: 1, cache: 'evict' }, {}, '\n  access: through the page cache (--cache evict)\n'],
  [{ size: 1, noFsync: true }, {}, 'page cache (--cache auto), write time without the final sync\n'],
  [{}, { filesystem: null, mount: null, device: null }, '\n  filesystem: unknown, 500 GiB free\n'],
  [{}, { availableBytes: 5 * GIB }, '/mnt/disk has no room for 8 GiB, the default; using 4 GiB instead'],
  [
    { cache: 'keep' },
    {},
    'uses 32 GiB, because the page cache is kept: RAM could hold less data; pass --size for less',
  ],
  [{}, { mount: '/\u001b[31m' }, 'mounted at "/\\u001b[31m"'],
  [
    { runs: 4, seconds: 60, untilStable: 2.5, maxRuns: 9 },
    {},
    '4 runs, repeated for at least 1 min 0 s and until each 95 % interval is within 2.5 %, up to 9 runs:\n',
  ],
  [{ size: 3, stonewall: 10 }, {}, '\n  steps, one run, stonewall after 10 s:\n'],
  [
    { size: 3, stonewall: 10, steps: 'read' },
    {},
    '\n  layout: 3 GiB in blocks of 64 KiB, for at most 10 s\n  steps, one run:\n',
  ],
  [
    { size: 3, stonewall: 10 },
    {},
    '\n  a run: writes about 3 GiB, roughly\n    40 s on a hard disk at 150 MB/s\n    33 s on a SATA SSD',
  ],
  [
    { size: 3, runs: 5 },
    {},
    '\n  5 runs: writes about 15.1 GiB, roughly\n    4 min 55 s on a hard disk at 150 MB/s\n',
  ],
  [
    { size: 0.1, steps: 'random,io-size=4k,mix=100,size=32M,threads=1,seconds=10' },
    {},
    ': 10 s, at most 32 MiB of random operations of 4 KiB, 1 thread\n',
  ],
  [
    { size: 0.1, steps: `random,threads=1,interval=1,seconds=${MAX_DURATION_SECONDS}` },
    {},
    ': random operations of 512 bytes, one every 1 s per thread, 1 thread\n  until Ctrl-C\n',
  ],
  [{ size: 3, untilStable: 5, maxRuns: 10 }, {}, '\n  up to 10 runs: writes about 30.3 GiB, roughly\n'],
];

test.each(PARTS)('the plan with %j on a target with %j shows %j', (options, target, part) => {
  expect(planText(planWith(options, { target }))).toContain(part);
});
