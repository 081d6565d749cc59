import { expect, test } from 'vitest';
import { type ByteRate, getcPutcCsv, getcPutcTable } from '../../../src/format/compat/getc-putc.js';

const RATES: readonly ByteRate[] = [
  { title: 'write', bytesPerSecond: 812 * 1024 },
  { title: 'read', bytesPerSecond: null },
  { title: 'putc', bytesPerSecond: 37_077 * 1024 + 511 },
  { title: 'getc', bytesPerSecond: 37_077 * 1024 + 513 },
  { title: 'putcU', bytesPerSecond: 270_721 * 1024 },
  { title: 'getcU', bytesPerSecond: 4_123_231 * 1024 },
];

test('the table has a column for each method in rounded K/sec, and plus signs if the test was too short', () => {
  expect(getcPutcTable('1.0.0', 'gum', RATES)).toBe(
    [
      'Version 1.0.0          write   read   putc   getc  putcU  getcU',
      'gum                      812 ++++++  37077  37078 270721 4123231',
      '',
    ].join('\n'),
  );
});

test('the CSV line has the same rates, and no commas in the label', () => {
  expect(getcPutcCsv('gum,07,b', RATES)).toBe('gum 07 b,812,++++++,37077,37078,270721,4123231\n');
});

test('control characters and line breaks in a label are replaced', () => {
  const label = 'a\u001b[31mb\nc\u202ed';
  expect(getcPutcTable('1.0.0', label, [])).toBe('Version 1.0.0        \na?[31mb?c?d          \n');
  expect(getcPutcCsv(label, [])).toBe('a?[31mb?c?d\n');
});
