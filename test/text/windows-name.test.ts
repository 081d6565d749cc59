import { expect, test } from 'vitest';
import { findWindowsNameProblem } from '../../src/text/windows-name.js';

test.each([
  ['NUL', 'NUL'],
  ['\\\\server\\share\\prn', 'prn'],
  ['C:\\data\\CON.json', 'CON.json'],
  ['com² .csv', '"com² .csv"'],
  ['C:\\data\\file:stream.json', 'file:stream.json'],
  ['C:\new', '"\\new"'],
  [`C:\\${'x'.repeat(256)}`, 'x'.repeat(256)],
  ['C:\\data \\x', '"data "'],
])('%s is not a valid path on Windows', (file, name) => {
  expect(findWindowsNameProblem(file)).toBe(`Windows does not allow the name ${name}`);
});

test.each(['\\\\server', '//server/'])('%s needs a share', (file) => {
  expect(findWindowsNameProblem(file)).toBe('the server name needs a share name after it');
});

test.each(['C:\\', 'C:deep', '..\\..', '', 'com10', 'a.con', '\\\\server\\share\\', 'ä ö/日本'])(
  '%j is a valid path on Windows',
  (file) => {
    expect(findWindowsNameProblem(file)).toBeNull();
  },
);
