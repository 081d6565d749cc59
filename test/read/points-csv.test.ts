import { expect, test } from 'vitest';
import { readPoints } from '../../src/read/points-csv.js';

test('columns may have any order, and unknown columns are ignored', () => {
  const [first, second] = readPoints(
    'p99_us,disk,iops,depth,mib_per_s\r\n300,a,"2e3",2,8\r\n200,a,1500.5,1,\r\n',
    'p.csv',
  );
  expect(first).toMatchObject({
    depth: 1,
    operationsPerSecond: 1500.5,
    p99Ns: 200_000,
    bytesPerSecond: null,
  });
  expect(second).toMatchObject({ depth: 2, operationsPerSecond: 2000, bytesPerSecond: 8 * 1024 ** 2 });
});

test('rows with the same depth are measurements of one point, in order of the rows or of their times', () => {
  const [point] = readPoints('\uFEFFdepth,iops,mean_us\n4,90,10\n4,100,\n\n4,110,30', 'p.csv');
  expect(point).toMatchObject({
    depth: 4,
    operationsPerSecond: expect.closeTo(99.67, 1),
    meanNs: expect.closeTo(Math.sqrt(10_000 * 30_000), 6),
  });
  expect(point?.confidence95?.low).toBeCloseTo(60.53, 2);
  expect(point?.samples.map(({ atSeconds }) => atSeconds)).toEqual([0, 1, 2]);
  const [timed] = readPoints('depth,iops,at_seconds\n4,90,60\n4,100,0', 'p.csv');
  expect(timed?.samples.map(({ atSeconds }) => atSeconds)).toEqual([60, 0]);
});

test.each([
  ['', 'p.csv cannot be read: it has no points'],
  ['depth,rate\n1,2', 'p.csv, line 1 cannot be read: it has no column iops'],
  ['\ndepth,iops\n1,2\n2,fast', 'p.csv, line 4 cannot be read: column iops is fast, expected a number'],
  ['depth,iops\n1,', 'p.csv, line 2 cannot be read: column iops is "", expected a number'],
  ['depth,iops\n1.5,2', 'p.csv, line 2 cannot be read: column depth is 1.5, expected a whole number above 0'],
  ['depth,iops,p99_us\n1,2,-3', 'p.csv, line 2 cannot be read: column p99_us is -3, expected a number'],
  ['depth,iops\n1,2,000', 'p.csv, line 2 cannot be read: it has 3 cells, but the header has 2'],
])('%j is rejected', (text, message) => {
  expect(() => readPoints(text, 'p.csv')).toThrow(message);
});
