import { describe, expect, test } from 'vitest';
import { jsonFault } from '../../../src/cli/config/json-fault.js';
import { seededRandom } from '../../support/seeded-random.js';

describe('the place and what is wrong there', () => {
  test.each([
    ['', 1, 1, 'nothing follows instead of a value'],
    ['  \n', 2, 1, 'nothing follows instead of a value'],
    ['{', 1, 2, 'nothing follows instead of a name in double quotes or "}"'],
    ['{"a": 1,}', 1, 9, '"}" stands there instead of a name in double quotes'],
    ['[1,]', 1, 4, '"]" stands there instead of a value'],
    ['{"a": 1\n "b": 2}', 2, 2, '"\\"" stands there instead of "," or "}"'],
    ['{\n  // mine\n  "a": 1}', 2, 3, '"/" stands there instead of a name in double quotes or "}"'],
    ["{'a': 1}", 1, 2, '"\'" stands there instead of a name in double quotes or "}"'],
    ['{size: 1}', 1, 2, '"size" stands there instead of a name in double quotes or "}"'],
    ['{"a" 1}', 1, 6, '"1" stands there instead of ":"'],
    ['{"a": yes}', 1, 7, '"yes" stands there instead of a value'],
    ['{"a": tru}', 1, 7, '"tru" stands there instead of a value'],
    ['{"a": 01}', 1, 8, '"1" stands there instead of "," or "}"'],
    ['{"a": .5}', 1, 7, '".5" stands there instead of a value'],
    ['{"a": 1} {', 1, 10, '"{" stands there instead of the end'],
    ['[1}', 1, 3, '"}" stands there instead of "," or "]"'],
    ['{"a": "x\ny"}', 1, 7, 'a text begins there that has no end on its line, or a wrong "\\" in it'],
    ['{"a": "x\\y"}', 1, 7, 'a text begins there that has no end on its line, or a wrong "\\" in it'],
    ['{"a": "x', 1, 7, 'a text begins there that has no end on its line, or a wrong "\\" in it'],
    ['{\r\n\t"a": 1,\r\n\t]', 3, 2, '"]" stands there instead of a name in double quotes'],
    ['{"ü✓💾": 💾}', 1, 10, '"💾" stands there instead of a value'],
    ['{"a": \u001b[2J}', 1, 7, '"\\u001b" stands there instead of a value'],
    ['{"a": \u202e}', 1, 7, '"\\u202e" stands there instead of a value'],
  ])('of %j', (text, line, column, words) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    expect(jsonFault(text)).toEqual({ line, column, words });
  });
});

const WHOLE = JSON.stringify(
  { size: 0.5, list: ['a\\"b', -1.5e-3, null, [], {}], deep: { a: { b: [true, false] } }, text: 'ü\n\u0001' },
  null,
  2,
);
const ODD = [...'{}[]:,"\\/\'x0-.\n \t\u0000💾'];

/** Where V8 says it is, which it does for some faults only. */
function toldByV8(text: string): number | null {
  try {
    JSON.parse(text);
    throw new Error('it is JSON');
  } catch (error) {
    const [, position] = /at position (\d+)/.exec((error as Error).message) ?? [];
    return position === undefined ? null : Number(position);
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('of a thousand broken documents the place is the one that V8 tells, where it does', () => {
  const random = seededRandom(20_180_412);
  let compared = 0;
  for (let round = 0; round < 1000; round++) {
    const at = random.upTo(WHOLE.length - 1);
    const text = WHOLE.slice(0, at) + random.oneOf(['', ...ODD]) + WHOLE.slice(at + random.upTo(2));
    if (isJson(text)) continue;
    const { line, column, words } = jsonFault(text);
    const offset =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length +
      (line > 1 ? 1 : 0) +
      column -
      1;
    const told = toldByV8(text);
    expect(offset).toBeLessThanOrEqual(text.length);
    if (told === null) continue;
    // V8 tells the character within a text, a number or a word, and this where it begins.
    if (words.startsWith('a text begins there')) expect(text[offset]).toBe('"');
    else if (!/[\w.+-]/.test(text.slice(told - 1, told + 1))) expect([text, offset]).toEqual([text, told]);
    compared++;
  }
  expect(compared).toBeGreaterThan(200);
});

test('a long text and deep nesting do not overflow anything', () => {
  expect(jsonFault(`["${'x\\n'.repeat(500_000)}" 1`)).toMatchObject({
    line: 1,
    words: expect.stringContaining('"1"'),
  });
  expect(jsonFault('['.repeat(1_000_000))).toMatchObject({ column: 1_000_001 });
});
