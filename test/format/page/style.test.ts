import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { SCRIPT, SCRIPT_HASH } from '../../../src/format/page/browser-script.js';
import { STYLE, STYLE_HASH } from '../../../src/format/page/style.js';
import { pages } from './pages.js';

test.each([
  ['style', STYLE, STYLE_HASH],
  ['script', SCRIPT, SCRIPT_HASH],
])("the page's policy allows its own %s by its current hash", (_, text, hash) => {
  expect(hash).toBe(`sha256-${createHash('sha256').update(text).digest('base64')}`);
});

test('the style and the script each have less than 4000 characters', () => {
  expect(STYLE.length).toBeLessThan(4000);
  expect(SCRIPT.length).toBeLessThan(4000);
});

test.each([
  ['five runs', 200_000],
  ['a thousand runs', 2_000_000],
])('a page of %s of three phases has fewer than %i bytes', (name, most) => {
  expect(Buffer.byteLength(pages[name] ?? '')).toBeLessThan(most);
  expect(pages[name]).toContain('<polyline ');
});
