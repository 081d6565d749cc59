import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { SCRIPT, SCRIPT_HASH } from '../../../src/format/page/browser-script.js';
import { STYLE, STYLE_HASH } from '../../../src/format/page/style.js';

test.each([
  ['style', STYLE, STYLE_HASH],
  ['script', SCRIPT, SCRIPT_HASH],
])("the page's policy allows its own %s by its current hash", (_, text, hash) => {
  expect(hash).toBe(`sha256-${createHash('sha256').update(text).digest('base64')}`);
});
