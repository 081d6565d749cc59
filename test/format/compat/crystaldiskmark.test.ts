import { expect, test } from 'vitest';
import { crystalDiskMarkText } from '../../../src/format/compat/crystaldiskmark.js';
import { toResults } from '../../../src/report/results.js';
import type { Report } from '../../../src/report/schema/report.js';
import { measurementWith } from '../../support/data/fixtures.js';
import { type MeasuredStep, presetSteps, stepsReport } from '../../support/data/step-reports.js';
import { hostileReports } from '../reports.js';

/** The patterns of a parser for CrystalDiskMark's results. It searches each line for the first that matches. */
const PATTERNS = {
  test: /\s*(?<type>SEQ|RND)\s*(?<size>\d+)(?<unit>\S+)\s*\(Q=\s*(?<queue>\d+), T=\s*(?<threads>\d+)\):\s*(?<rate>[\d.,]+) (?<rateUnit>\S+)\s*\[\s*(?<iops>[\d.,]+) (?<iopsUnit>\S+)\]\s*<\s*(?<us>[\d.,]+) (?<usUnit>\S+)>\s*$/,
  section: /\s*\[(?<section>Read|Write|Mix)\]\s*/,
  profile: /\s*Profile: (?<value>.+)\s*/,
  size: /\s*Test: (?<value>.+)\s*/,
  mode: /\s*Mode: (?<value>.+)\s*/,
  time: /\s*Time: (?<value>.+)\s*/,
  date: /\s*Date: (?<value>.+)\s*/,
  os: /\s*OS: (?<value>.+)\s*/,
  comment: /\s*Comment: (?<value>.+)\s*/,
};

/** Returns the tests as `Read SEQ 1MiB Q8T1 531.458 506.8 59.60`, and the settings. */
function parse(text: string) {
  const tests: string[] = [];
  const settings: Record<string, string> = {};
  let section: string | undefined;
  for (const line of text.split('\n')) {
    const [name, pattern] = Object.entries(PATTERNS).find(([, one]) => one.test(line)) ?? [];
    const groups = pattern?.exec(line)?.groups ?? {};
    const { type, size, unit, queue, threads, rate, iops, us, value } = groups;
    const { rateUnit, iopsUnit, usUnit } = groups;
    if (name !== 'test') ({ section } = groups);
    if (name === 'test') {
      expect(section, line).toBeDefined();
      expect([rateUnit, iopsUnit, usUnit]).toEqual(['MB/s', 'IOPS', 'us']);
      tests.push(`${section} ${type} ${size}${unit} Q${queue}T${threads} ${rate} ${iops} ${us}`);
    }
    if (name && value !== undefined) settings[name] = value;
  }
  return { tests, settings };
}

const render = (...reports: Report[]) => crystalDiskMarkText(reports.map(toResults));
const SEQ_READ: MeasuredStep = {
  step: { name: 'seq1m-q8t1.read', phase: 'read', ioBytes: 2 ** 20, threads: 8 },
  rates: [531_400_000, 531_516_000],
};

test('the result has the exact lines of CrystalDiskMark, with means of the runs', () => {
  const mixed = { name: 'rnd4k-q1t1.mix', mixPercent: 70 };
  expect(
    render(
      stepsReport([
        { step: mixed, rates: [640_000, 640_000] },
        SEQ_READ,
        { step: { name: 'rnd4k-q32t16.read', threads: 512 }, rates: [4_094_649_000, 4_094_649_000] },
      ]),
    )
      .split('\n')
      .slice(6),
  ).toEqual([
    '[Read]',
    '  SEQ    1MiB (Q=  8, T= 1):   531.458 MB/s [    506.8 IOPS] <    59.60 us>',
    '  RND    4KiB (Q= 32, T=16):  4094.649 MB/s [ 999670.2 IOPS] <    59.60 us>',
    '',
    '[Mix] Read 70%/Write 30%',
    '  RND    4KiB (Q=  1, T= 1):     0.640 MB/s [    156.3 IOPS] <    59.60 us>',
    '',
    'Profile: Default',
    '   Test: 512 MiB (x2) [/dev/vda]',
    '   Mode: direct',
    '   Time: Measure 1.1 sec / Interval 0 sec',
    '   Date: 2018/04/12 13:46:00',
    '     OS: Linux 6.1.0 (x64)',
    'Comment: goldhost, mean of 2 runs',
    '',
  ]);
});

test('a parser of CrystalDiskMark reads every test of the profile for NVMe, and every setting', () => {
  const { tests, settings } = parse(render(stepsReport(presetSteps('crystaldiskmark-nvme', 100_000_000))));
  const names = ['SEQ 1MiB Q8T1', 'SEQ 128KiB Q32T1', 'RND 4KiB Q32T16', 'RND 4KiB Q1T1'];
  const iops = ['95.4', '762.9', '24414.1', '24414.1'];
  expect(tests).toEqual(
    ['Read', 'Write'].flatMap((section) =>
      names.map((name, at) => `${section} ${name} 100.000 ${iops[at]} 59.60`),
    ),
  );
  expect(Object.keys(settings)).toEqual(['profile', 'size', 'mode', 'time', 'date', 'os', 'comment']);
});

test.each<[string, Partial<MeasuredStep['step']>, string]>([
  ['other threads than its name, they count', { name: 'seq-q8t1.read', threads: 4 }, 'SEQ 1MiB Q1T4'],
  ['no queue in its name, its depth and threads count', { name: 'bulk', threads: 4 }, 'SEQ 1MiB Q1T4'],
  ['blocks that are not whole KiB, the size is in bytes', { ioBytes: 2304 }, 'SEQ 2304B Q8T1'],
])('if a step has %s', (_, step, name) => {
  const { tests } = parse(render(stepsReport([{ ...SEQ_READ, step: { ...SEQ_READ.step, ...step } }])));
  expect(tests).toEqual([expect.stringContaining(`Read ${name} `)]);
});

const CACHED = { device: { ...measurementWith().device, share: 0.5 } };

test.each<[string, Report]>([
  ['the page cache served', stepsReport([{ ...SEQ_READ, facts: CACHED }])],
  ['no complete run measured', stepsReport([SEQ_READ], { runs: [] })],
])('a row that %s has the zeros of a test that did not run, and the comment says so', (_, report) => {
  const { tests, settings } = parse(render(report));
  expect(tests).toEqual([expect.stringMatching(/ 0\.000 0\.0 0\.00$/)]);
  expect(settings).toMatchObject({ comment: expect.stringContaining('; 0.000 is unknown') });
});

test('data in RAM has its rate, and the mode says where the data was', () => {
  const report = stepsReport([{ ...SEQ_READ, facts: CACHED }]);
  const { tests, settings } = parse(render({ ...report, target: { ...report.target, isMemory: true } }));
  expect(tests).toEqual(['Read SEQ 1MiB Q8T1 531.458 506.8 59.60']);
  expect(settings).toMatchObject({ mode: 'in memory, direct' });
});

test('a parser finds no settings or tests in hostile names', () => {
  const hostile = [...hostileReports(20), { ...stepsReport([SEQ_READ]), label: 'a Test: b [Write] OS: c' }];
  for (const { version, label, machine, target } of hostile) {
    const { tests, settings } = parse(
      render({ ...stepsReport([SEQ_READ]), version, label, machine, target }),
    );
    expect(tests).toHaveLength(1);
    expect(Object.keys(settings)).toHaveLength(7);
  }
});
