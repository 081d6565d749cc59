import { expect, test } from 'vitest';
import { fileOptionMessage, translateError } from '../../../src/cli/argv/dialect.js';
import { GobonnieError } from '../../../src/errors.js';
import { flag, flagAtMost, type MessageTemplate, msg } from '../../../src/text/message-template.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';

const names = { size: { name: '-s', units: 1024 }, dir: '-d', fileSize: '-n …:MAX', direct: '-D' };

function lineOf(message: MessageTemplate, hint: MessageTemplate = 'do it'): string {
  return (translateError(names, new GobonnieError('size-too-large', message, hint)) as GobonnieError).line;
}

test.each<[MessageTemplate, string]>([
  [msg`${flag('dir', '/mnt')} is no directory`, '-d /mnt is no directory'],
  [msg`${flag('dir', 'a b')} is no directory`, '-d "a b" is no directory'],
  [msg`(${flag('fileSize')})`, '(-n …:MAX)'],
  [msg`pass ${flag('size')}`, 'pass -s'],
  [msg`pass ${flag('size', 'abc')}`, 'pass -s abc'],
  ['a path /mnt/old--dir and --size 4 are text', 'a path /mnt/old--dir and --size 4 are text'],
])("the message names an option by the dialect's flag: %j", (message, words) => {
  expect(lineOf(message)).toBe(`${words}; do it`);
});

test("a number is converted to the dialect's unit and rounded to a valid value", () => {
  expect(lineOf(msg`pass ${flag('size', 0.0001)}`)).toBe('pass -s 1; do it');
  expect(lineOf(msg`pass at most ${flagAtMost('size', 0.0019)}`)).toBe('pass at most -s 1; do it');
  expect(lineOf(msg`pass ${flag('size', 0.1 + 0.2 - 0.3 + 1)}`)).toBe('pass -s 1024; do it');
});

test("an option without a flag in the dialect is marked as gobonnie's own", () => {
  expect(lineOf(msg`${flag('ioSize', 512)} is too much`)).toBe(
    "--io-size 512 (gobonnie's own) is too much; do it",
  );
});

test('a hint with a flag that the dialect lacks becomes gobonnie explain', () => {
  expect(lineOf('no room', msg`pass a smaller ${flag('size')} or fewer ${flag('threads')}`)).toBe(
    'no room; see gobonnie explain size-too-large',
  );
  expect(lineOf('no room', msg`pass a smaller ${flag('size')}`)).toBe('no room; pass a smaller -s');
});

test("a dialect with gobonnie's flags changes only the names of its own flags", () => {
  const error = new GobonnieError('option-invalid', msg`${flag('dir', 'x')}`, msg`${flag('ioSize', '4k')}`);
  expect(translateError({ dir: 'DIR' }, error, true)).toEqual(
    gobonnieErrorWith('option-invalid', 'DIR x; --io-size 4k'),
  );
});

test('an error keeps its code and becomes the cause, and other exceptions are unchanged', () => {
  const error = new GobonnieError('size-too-large', msg`${flag('size', 9)}`, 'do it');
  expect(translateError(names, error)).toMatchObject({ kind: 'usage', cause: error });
  const bug = new TypeError('--size is undefined');
  expect(translateError(names, bug)).toBe(bug);
  expect(translateError(names, 'a string')).toBe('a string');
});

test('an error about a file begins with the option for that file', () => {
  const missing = new GobonnieError('input-unreadable', '"a b.json" cannot be read', 'do it');
  expect(fileOptionMessage('baseline', 'a b.json', missing)).toEqual([
    flag('baseline', 'a b.json'),
    ' cannot be read',
  ]);
  expect(fileOptionMessage('baseline', 'c.json', missing)).toEqual([
    flag('baseline', 'c.json'),
    ': "a b.json" cannot be read',
  ]);
});
