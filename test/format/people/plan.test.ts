import { expect, test } from 'vitest';
import { planJson, planText } from '../../../src/format/people/plan.js';
import type { OptionsInput } from '../../../src/options/schema.js';
import { GIB } from '../../../src/text/units.js';
import { planWith } from '../../support/data/fixtures.js';

const NO_FACTS = { filesystem: null, mount: null, device: null };

test('a plan is told whole', () => {
  expect(planText(planWith({ size: 3, threads: 4 }))).toBe(
    [
      'Would measure in /mnt/disk',
      '  filesystem: ext4 on /dev/vda mounted at /mnt, 500 GiB free',
      '  threads: 4, each with a file of its own:',
      '    bonnie.0 to bonnie.3: 768 MiB each',
      '  access: through the page cache (--cache auto)',
      '  phases, one run:',
      '    write: 3 GiB (3072 MiB) in blocks of 64 KiB',
      '    read: 3 GiB (3072 MiB) in blocks of 64 KiB',
      '    iops: 15 s of random operations of 512 bytes',
      '  rough time of a run:',
      '    58 s on a hard disk at 150 MB/s',
      '    28 s on a SATA SSD at 500 MB/s',
      '    18 s on an NVMe SSD at 2000 MB/s',
      '  seed: 42',
      'Nothing was written.',
      '',
    ].join('\n'),
  );
});

/** The lines of the phases, as they are listed. */
function phaseLines(options: OptionsInput): readonly string[] {
  const [, listed = ''] = /\n {2}phases, .*:\n((?: {4}.*\n)+)/.exec(planText(planWith(options))) ?? [];
  return listed
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());
}

test('each phase is told with its work, in the order that was asked for', () => {
  const options = { size: 1, threads: 2, files: 1000, fileSize: '4k', seeks: 4000, byteSize: '20m' };
  const phases = 'putc,write,rewrite,getc,read,seeks,create,stat,delete';
  expect(phaseLines({ ...options, phases, byteMode: 'syscall' })).toEqual([
    'putc: 20 MiB byte by byte (syscall)',
    'write: 1 GiB (1024 MiB) in blocks of 64 KiB',
    'rewrite: 1 GiB (1024 MiB) in blocks of 64 KiB',
    'getc: 20 MiB byte by byte (syscall)',
    'read: 1 GiB (1024 MiB) in blocks of 64 KiB',
    'seeks: 4000 random blocks of 64 KiB',
    'create: 1000 files of up to 4 KiB',
    'stat: 1000 files',
    'delete: 1000 files',
  ]);
});

test('bytes that are not given are all of the data', () => {
  expect(phaseLines({ size: 1, phases: 'putc' })).toEqual(['putc: 1 GiB byte by byte (locked)']);
});

test.each([
  ['write', '6.7 s'],
  ['write,rewrite,read', '20 s'],
  // Of the others the time does not follow from a rate.
  ['write,getc,seeks,create', '6.7 s'],
  ['write,iops', '22 s'],
])('the rough time of %s is %s on a hard disk', (phases, time) => {
  const text = planText(planWith({ size: 1_000_000_000 / GIB, blockSize: '1000k', phases }));
  expect(text).toContain(`\n    ${time} on a hard disk at 150 MB/s\n`);
});

test.each(['putc,getc', 'create,delete'])('there is no rough time of %s', (phases) => {
  expect(planText(planWith({ size: 1, phases }))).not.toContain('rough time');
});

test('slices of two lengths are two lines, however many threads', () => {
  const text = planText(planWith({ size: 1, threads: 100 }));
  expect(text).toContain(
    '\n    bonnie.0 to bonnie.83: 10.3 MiB each\n    bonnie.84 to bonnie.99: 10.2 MiB each\n',
  );
});

test('slices of one file are one line, with the whole size', () => {
  expect(planText(planWith({ size: 1, threads: 4, oneFile: true }))).toContain(
    '\n  threads: 4, all in one file:\n    bonnie.0: 1 GiB, about 256 MiB for each\n',
  );
});

test.each<[OptionsInput, string]>([
  [{ cache: 'evict' }, 'through the page cache (--cache evict)'],
  [{ direct: true }, 'past the page cache (O_DIRECT)'],
  [{ fsync: true }, 'through the page cache (--cache auto), synced within the time of the write'],
])('it says how the data goes to the disk: %j', (options, words) => {
  expect(planText(planWith({ size: 1, ...options }))).toContain(`\n  access: ${words}\n`);
});

test('random operations are told as large as they will be', () => {
  const text = planText(planWith({ size: 1, verify: true, ioSize: 1000 }));
  expect(text).toContain('\n    iops: 15 s of random operations of 1 KiB\n');
  expect(text).toContain('\n  warning: the random operations move 1024 instead of 1000 bytes: ');
});

test('one slice is no range', () => {
  expect(planText(planWith({ size: 1, threads: 1 }))).toContain('\n    bonnie.0: 1 GiB\n');
});

test('a directory that is missing would be made and removed', () => {
  expect(planText(planWith({}, { target: { exists: false } }))).toMatch(
    /^Would measure in \/mnt\/disk \(would be made, and removed again\)\n/,
  );
});

test('a filesystem of which nothing is known is unknown', () => {
  expect(planText(planWith({}, { target: { ...NO_FACTS, availableBytes: 64 * GIB } }))).toContain(
    '  filesystem: unknown, 64 GiB free\n',
  );
});

test.each([
  [{ runs: 3 }, '3 runs'],
  [{ seconds: 3600 }, 'one run, and again until 1 h 0 min are over'],
  [{ runs: 2, seconds: 5 }, '2 runs, and again until 5 s are over'],
  [{ untilStable: 5 }, 'one run, and again until every figure is known to 5 %, up to 30 runs'],
  [
    { runs: 4, seconds: 60, untilStable: 2.5, maxRuns: 9 },
    '4 runs, and again until 1 min 0 s are over and until every figure is known to 2.5 %, up to 9 runs',
  ],
])('it says how often: %j', (options, words) => {
  expect(planText(planWith(options))).toContain(`\n  phases, ${words}:\n`);
});

test('a directory that could steer the terminal is quoted', () => {
  const text = planText(planWith({}, { target: { directory: '/tmp/\u001b[31m', mount: '/\u001b[31m' } }));
  expect(text).not.toContain('\u001b');
});

test('a size that had to be cut is told', () => {
  const plan = planWith({}, { target: { availableBytes: 5 * GIB } });
  expect(plan.warnings).toHaveLength(1);
  expect(planText(plan)).toContain('does not fit in /mnt/disk');
});

test('as JSON it is the plan itself, on one line', () => {
  const plan = planWith({ size: 1 });
  const printed = planJson(plan);
  expect(JSON.parse(printed)).toEqual(plan);
  expect(printed.match(/\n/g)).toHaveLength(1);
  expect(printed.endsWith('}\n')).toBe(true);
});
