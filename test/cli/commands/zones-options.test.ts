import { expect, test } from 'vitest';
import { zones, zonesSchema } from '../../../src/cli/commands/zones.js';
import { GIB, MIB } from '../../../src/text/units.js';

/** Quotes a value as messages do. */
function quoted(value: string): string {
  return /^\S+$/.test(value) ? value : JSON.stringify(value);
}

test('the defaults match zcav', () => {
  expect(zonesSchema.parse({})).toEqual({ block: 512 * MIB, loops: 1 });
});

test.each([
  ['1', MIB],
  ['64', 64 * MIB],
  ['2048k', 2 * MIB],
  ['1048576', 1024 * GIB],
])('--block %s is accepted', (block, blockBytes) => {
  expect(zonesSchema.parse({ block }).block).toBe(blockBytes);
});

const BLOCK = 'a whole number of MiB from 1 to 1048576, or a size like 64m or 1g';
const NOT_WHOLE = ['', '0', '-1', '1.5', '1e3'];
const NOT_A_BLOCK = ['0x10', 'NaN', '64 ', '64mb', '2t', '1k', '1025k', '1048577', '9'.repeat(30)];

test.each([
  ...[...NOT_WHOLE, ...NOT_A_BLOCK].map((value) => ['block', value, BLOCK, '64']),
  ...[...NOT_WHOLE, 'many', '9007199254740993'].map((value) => [
    'loops',
    value,
    'a whole number above 0',
    '3',
  ]),
])('--%s %j is rejected with an example', (name = '', value = '', expected, example) => {
  expect(() => zones.parse([`--${name}=${value}`, '/dev/sda'])).toThrow(
    expect.objectContaining({
      code: 'option-invalid',
      kind: 'usage',
      message: `invalid --${name} ${quoted(value)}: expected ${expected}`,
      hint: `for example, --${name} ${example}`,
    }),
  );
});
