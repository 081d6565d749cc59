import { beforeEach, expect, test } from 'vitest';
import { harmless, harmlessJson, withoutFormula } from '../../src/text/harmless.js';
import { steers } from '../faults/input/refusal.js';
import { dice } from '../support/dice.js';
import { hostileName, written } from '../support/hostile.js';
import { piped } from '../support/piped.js';
import { needs } from '../support/tool.js';

beforeEach(needs('jq'));

test('JSON says to jq what it says to JavaScript, whatever the names', () => {
  const random = dice(6);
  const names = Array.from({ length: 500 }, () => hostileName(random));
  const text = names.map((name) => harmlessJson({ [name]: name })).join('');
  expect(steers(text)).toBe(false);
  const read = piped('jq', ['-c', '.'], text).trimEnd().split('\n');
  expect(read.map((line) => JSON.parse(line))).toEqual(
    names.map((name) => ({ [written(name)]: written(name) })),
  );
});

test('half a letter becomes what UTF-8 makes of it, but not the words for one', () => {
  const words = ['\\ud800', '\\\\ud800', '\ud800', '\ud83d\udcbe', '\udc00\ud800'];
  expect(JSON.parse(harmlessJson(words))).toEqual(['\\ud800', '\\\\ud800', '\ufffd', '💾', '\ufffd\ufffd']);
});

test('text for a terminal is on one line, and of a spreadsheet nothing is calculated', () => {
  expect(harmless('a\nb\u001bc\u202ed\u2028e')).toBe('a?b?c?d?e');
  expect(['=1', '+1', '-1', '@a', 'a=1', ''].map(withoutFormula)).toEqual([
    "'=1",
    "'+1",
    "'-1",
    "'@a",
    'a=1',
    '',
  ]);
});
