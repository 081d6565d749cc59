import { expect, test } from 'vitest';
import { digestOf, digestsOf } from '../../../src/format/programs/digest.js';
import { scoreWith, sheetWith } from '../../read/sheet.js';
import { measurementWith, reportWith, runWith } from '../../support/fixtures.js';

test('of a report there is every metric that is known, run by run', () => {
  const report = reportWith({
    runs: [runWith({ measurements: [measurementWith({ durable: null, latencyNs: null })] })],
  });
  const { program, label, directory, runs } = digestOf(report);
  expect({ program, label, directory }).toEqual({
    program: { name: 'gobonnie', version: '1.0.0' },
    label: 'goldhost',
    directory: '/mnt/disk',
  });
  expect(runs).toEqual([
    {
      startedAt: '2018-04-12T13:46:01.000Z',
      state: 'completed',
      entries: [
        {
          phase: 'write',
          title: 'Sequential Write',
          figure: 'bytes',
          amounts: {
            '': 1_073_741_824,
            throughput: 1_073_741_824,
            ops: 16_384,
            share: 1,
            cpu: 75,
            seconds: 0.5,
            bytes: 536_870_912,
            operations: 8192,
          },
        },
      ],
    },
  ]);
  expect(digestsOf({ report, sheets: [] })).toEqual([digestOf(report)]);
});

test('sheets are of as many machines as have a name in them, each with its runs', () => {
  const sheets = ['silo4', 'silo5', 'silo4'].map((label, index) =>
    sheetWith({ label, scores: { read: scoreWith({ perSecond: index }) } }),
  );
  const digests = digestsOf({ report: null, sheets });
  expect(digests.map(({ label, runs }) => [label, runs.map(({ entries }) => entries[0]?.amounts)])).toEqual([
    [
      'silo4',
      [
        { '': 0, throughput: 0 },
        { '': 2, throughput: 2 },
      ],
    ],
    ['silo5', [{ '': 1, throughput: 1 }]],
  ]);
});

test('the same name is another machine’s where another program tells of it', () => {
  const sheets = ['bonnie', 'bonnie++'].map((name) => sheetWith({ program: { name, version: null } }));
  expect(digestsOf({ report: null, sheets }).map(({ program }) => program.name)).toEqual([
    'bonnie',
    'bonnie++',
  ]);
});
