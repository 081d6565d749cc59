import { expect, test } from 'vitest';
import { findJobWarnings } from '../../../src/report/measure/host-warnings.js';
import type { MeasurementContext } from '../../../src/report/measure/measurement-context.js';
import { mergeRanks, type RankMeasurement } from '../../../src/report/measure/merge-ranks.js';
import { measurementContext } from '../../../src/report/run-warnings.js';
import { measurementWith, reportWith } from '../../support/data/fixtures.js';

const WHERE: MeasurementContext = measurementContext(reportWith(), 'read');

/** A read of which the device served this share, on one host after the other. */
function partsWith(...shares: readonly number[]): readonly [RankMeasurement, ...RankMeasurement[]] {
  const [first, ...others] = shares.map((share, at) => ({
    ...{ rank: at, host: `h${at}`, startOffsetSeconds: 0, startOffsetErrorSeconds: 0 },
    measurement: measurementWith({
      ...{ phase: 'read', title: 'Sequential Read', bytes: 1000, readBytes: 1000, writtenBytes: 0 },
      ...{ durable: null, host: null },
      device: { readBytes: share * 1000, writtenBytes: 0, dirtyBytes: 0, share, reason: null },
    }),
  }));
  if (!first) throw new Error('no host');
  return [first, ...others];
}

function told(...shares: readonly number[]): readonly string[] {
  const parts = partsWith(...shares);
  return findJobWarnings(mergeRanks(parts), parts, WHERE).map(({ message }) => message);
}

test('a warning about all hosts is told once, with the figure of all', () => {
  expect(told(0.1, 0.3)).toEqual([
    'Sequential Read: only 20.0 % was read from the device; the rest came from the page cache',
  ]);
});

test('a warning about some hosts names them, with their figure', () => {
  expect(told(1, 0.1, 1)).toEqual([
    'on h1: Sequential Read: only 10.0 % was read from the device; the rest came from the page cache',
  ]);
  expect(told(1, 0.1, 0.3, 1)).toEqual([
    'on h1, h2: Sequential Read: only 20.0 % was read from the device; the rest came from the page cache',
  ]);
});

test('one host among a hundred is named, although the figure of all hardly shows it', () => {
  const shares = [...new Array<number>(99).fill(1), 0.1];
  expect(told(...shares)[0]).toMatch(/^on h99: .* only 10\.0 % /);
});

test('of more than a few hosts some are named, and the others are counted', () => {
  expect(told(0.2, 0.2, 0.2, 0.2, 0.2, 1)[0]).toMatch(/^on h0, h1, h2 and 2 other hosts: /);
});

test('the hosts are in the warning, too', () => {
  const parts = partsWith(1, 0.1);
  expect(findJobWarnings(mergeRanks(parts), parts, WHERE)).toMatchObject([{ hosts: ['h1'], phase: 'read' }]);
});

test('a run of one process has the warnings of its figures', () => {
  const [{ measurement }] = partsWith(0.1);
  expect(findJobWarnings(measurement, [], WHERE)).toHaveLength(1);
});
