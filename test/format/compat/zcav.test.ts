import { expect, test } from 'vitest';
import { loopLine, zoneLine } from '../../../src/format/compat/zcav.js';
import { GIB, MIB } from '../../../src/text/units.js';

// Output of zcav for 512 MiB at these rates.
test.each([
  [{ offsetBytes: 0, bytes: 512 * MIB, seconds: 2 }, '0.00 256.00 2.000\n'],
  [{ offsetBytes: 512 * MIB, bytes: 512 * MIB, seconds: 1.2024 }, '0.50 425.82 1.202\n'],
])('a block is a line of its offset in GiB, its MiB/s and its seconds: %j', (zone, line) => {
  expect(zoneLine(zone, 512 * MIB)).toBe(line);
});

test.each([
  [16 * MIB, '0.02'],
  [8 * MIB, '0.008'],
  [MIB, '0.0010'],
])(
  'offsets have two decimals, or more if neighbouring blocks would have the same: %i bytes',
  (bytes, offset) => {
    expect(zoneLine({ offsetBytes: bytes, bytes, seconds: 1 }, bytes).split(' ')[0]).toBe(offset);
  },
);

test('the blocks of a single loop are comments', () => {
  expect(loopLine({ offsetBytes: GIB, bytes: 64 * MIB, seconds: 0.5 }, 64 * MIB)).toBe(
    '#1.00 128.00 0.500\n',
  );
  expect(loopLine({ offsetBytes: GIB, bytes: 2 * MIB, seconds: 0.5 }, 64 * MIB)).toBe(
    '#1.00 4.00 0.500 (the last 2.00 MiB)\n',
  );
});
