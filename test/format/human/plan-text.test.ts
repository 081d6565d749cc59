import { expect, test } from 'vitest';
import { planJson, planText } from '../../../src/format/human/plan-text.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import { GIB } from '../../../src/text/units.js';
import { planWith } from '../../support/data/fixtures.js';

const NO_FACTS = { filesystem: null, mount: null, device: null };

test('the plan shows target, files, access, phases, estimated times and seed', () => {
  expect(planText(planWith({ size: 3, threads: 4 }))).toBe(
    [
      'Would measure in /mnt/disk',
      '  filesystem: ext4 on /dev/vda mounted at /mnt, 500 GiB free',
      '  threads: 4, one file each:',
      '    bonnie.0 to bonnie.3: 768 MiB each',
      '  access: through the page cache (--cache auto)',
      '  phases, one run:',
      '    write: 3 GiB in blocks of 64 KiB',
      '    read: 3 GiB in blocks of 64 KiB',
      '    iops: 15 s of random operations of 512 bytes',
      '  a run: writes 3 GiB, roughly',
      '    58 s on a hard disk at 150 MB/s',
      '    28 s on a SATA SSD at 500 MB/s',
      '    18 s on an NVMe SSD at 2000 MB/s',
      '  seed: 42',
      'Nothing was written.',
      '',
    ].join('\n'),
  );
});

/** Returns the lines that list the phases. */
function phaseLines(options: OptionsInput): readonly string[] {
  const [, listed = ''] = /\n {2}phases, .*:\n((?: {4}.*\n)+)/.exec(planText(planWith(options))) ?? [];
  return listed
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());
}

test('phases are listed in the requested order, each with its amount of work', () => {
  const options = { size: 1, threads: 2, files: 1000, fileSize: '4k', seeks: 4000, byteSize: '20m' };
  const phases = 'putc,write,rewrite,getc,read,seeks,create,stat,delete';
  expect(phaseLines({ ...options, phases, byteMode: 'syscall' })).toEqual([
    'putc: 20 MiB byte by byte (syscall)',
    'write: 1 GiB in blocks of 64 KiB',
    'rewrite: 1 GiB in blocks of 64 KiB',
    'getc: 20 MiB byte by byte (syscall)',
    'read: 1 GiB in blocks of 64 KiB',
    'seeks: 4000 random blocks of 64 KiB',
    'create: 1000 files of up to 4 KiB',
    'stat: 1000 files',
    'delete: 1000 files',
  ]);
});

test('without --byte-size, the byte-wise phases process all data', () => {
  expect(phaseLines({ size: 1, phases: 'putc' })).toEqual(['putc: 1 GiB byte by byte (locked)']);
});

test.each([
  ['write', '6.7 s'],
  ['write,rewrite,read', '20 s'],
  // The duration of the other phases does not depend on the disk's rate.
  ['write,getc,seeks,create', '6.7 s'],
  ['write,iops', '22 s'],
])('the estimated time of %s is %s on a hard disk', (phases, time) => {
  const text = planText(planWith({ size: 1_000_000_000 / GIB, blockSize: '1000k', phases }));
  expect(text).toContain(`\n    ${time} on a hard disk at 150 MB/s\n`);
});

test.each(['putc,getc', 'create,delete'])('%s has no estimated time', (phases) => {
  expect(planText(planWith({ size: 1, phases }))).not.toContain('roughly');
});

test('100 threads with slices of two lengths take two lines', () => {
  const text = planText(planWith({ size: 1, threads: 100 }));
  expect(text).toContain(
    '\n    bonnie.0 to bonnie.83: 10.3 MiB each\n    bonnie.84 to bonnie.99: 10.2 MiB each\n',
  );
});

test('with --one-file, the file is one line with its size and the size for each thread', () => {
  expect(planText(planWith({ size: 1, threads: 4, oneFile: true }))).toContain(
    '\n  threads: 4, sharing one file:\n    bonnie.0: 1 GiB, about 256 MiB each\n',
  );
});

test.each<[OptionsInput, string]>([
  [{ cache: 'evict' }, 'through the page cache (--cache evict)'],
  [{ direct: true }, 'direct, bypassing the page cache'],
  [{ fsync: true }, 'through the page cache (--cache auto), write time includes the sync'],
])('%j is shown as access: %s', (options, words) => {
  expect(planText(planWith({ size: 1, ...options }))).toContain(`\n  access: ${words}\n`);
});

test('random operations are shown with their actual size', () => {
  const text = planText(planWith({ size: 1, verify: true, ioSize: 1000 }));
  expect(text).toContain('\n    iops: 15 s of random operations of 1 KiB\n');
  expect(text).toContain('\n  warning: IOPS: random operations move 1024 instead of 1000 bytes: ');
});

test('a single file is shown by its name, not as a range', () => {
  expect(planText(planWith({ size: 1, threads: 1 }))).toContain('\n    bonnie.0: 1 GiB\n');
});

test('a missing directory is announced as created, then removed', () => {
  expect(planText(planWith({}, { target: { exists: false } }))).toMatch(
    /^Would measure in \/mnt\/disk \(would be created, then removed\)\n/,
  );
});

test('an unknown filesystem is shown as unknown', () => {
  expect(planText(planWith({}, { target: { ...NO_FACTS, availableBytes: 64 * GIB } }))).toContain(
    '  filesystem: unknown, 64 GiB free\n',
  );
});

test.each([
  [{ runs: 3 }, '3 runs'],
  [{ seconds: 3600 }, 'one run, repeated for at least 1 h 0 min'],
  [{ runs: 2, seconds: 5 }, '2 runs, repeated for at least 5 s'],
  [{ untilStable: 5 }, 'one run, repeated until each 95 % interval is within 5 %, up to 30 runs'],
  [
    { runs: 4, seconds: 60, untilStable: 2.5, maxRuns: 9 },
    '4 runs, repeated for at least 1 min 0 s and until each 95 % interval is within 2.5 %, up to 9 runs',
  ],
])('%j is shown as: %s', (options, words) => {
  expect(planText(planWith(options))).toContain(`\n  phases, ${words}:\n`);
});

test('control characters in the directory are escaped', () => {
  const text = planText(planWith({}, { target: { directory: '/tmp/\u001b[31m', mount: '/\u001b[31m' } }));
  expect(text).not.toContain('\u001b');
});

test('a size that was reduced is shown with the warning', () => {
  const plan = planWith({}, { target: { availableBytes: 5 * GIB } });
  expect(plan.warnings).toHaveLength(1);
  expect(planText(plan)).toContain('/mnt/disk has no room for twice the RAM');
});

test('the JSON is the plan itself, on one line', () => {
  const plan = planWith({ size: 1 });
  const planDocument = planJson(plan);
  expect(JSON.parse(planDocument)).toEqual(plan);
  expect(planDocument.match(/\n/g)).toHaveLength(1);
  expect(planDocument.endsWith('}\n')).toBe(true);
});

test('with --stonewall, the plan shows when phases stop, and the maximum of bytes written', () => {
  const text = planText(planWith({ size: 3, stonewall: 10 }));
  expect(text).toContain('  phases, one run, stonewall after 10 s:\n');
  expect(text).toContain(
    '  a run: writes at most 3 GiB, roughly\n    35 s on a hard disk at 150 MB/s\n    28 s on a SATA SSD',
  );
});

test('the plan of several runs shows their total bytes and estimated time', () => {
  expect(planText(planWith({ size: 3, runs: 5 }))).toContain(
    '  5 runs: writes 15 GiB, roughly\n    4 min 50 s on a hard disk at 150 MB/s\n',
  );
  expect(planText(planWith({ size: 3, untilStable: 5, maxRuns: 10 }))).toContain(
    '  up to 10 runs: writes 30 GiB, roughly\n',
  );
});
