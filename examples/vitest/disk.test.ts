import { check, run } from 'gobonnie';
import { expect, test } from 'vitest';

test('the disk under this project is fast enough', { timeout: 120_000 }, async ({ signal }) => {
  const options = { dir: import.meta.dirname, size: 0.1, direct: true, iopsDuration: 1 };
  const report = await run(options, { signal });
  expect(report.outcome).toEqual({ state: 'completed' });

  // A failure shows each condition that does not hold, with the measured value.
  const verdicts = check(report, ['write>=20MB/s', 'read>=20MB/s', 'iops>=200', 'iops.p99<1s']);
  expect(verdicts.filter(({ passed }) => !passed)).toEqual([]);
});
