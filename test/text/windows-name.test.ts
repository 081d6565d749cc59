import { expect, test } from 'vitest';
import { findWindowsNameProblem } from '../../src/text/windows-name.js';

test.each([
  ['NUL', 'Windows reserves the name NUL'],
  ['C:\\data\\CON.json', 'Windows reserves the name CON'],
  ['aux.tar.html', 'Windows reserves the name aux'],
  ['D:/lpt1/report.json', 'Windows reserves the name lpt1'],
  ['com² .csv', 'Windows reserves the name com²'],
  ['\\\\server\\share\\prn', 'Windows reserves the name prn'],
  ['\\\\?\\C:\\NUL', 'Windows reserves the name NUL'],
  ['C:\\data\\file:stream.json', 'on Windows a name cannot contain :'],
  ['what?.json', 'on Windows a name cannot contain ?'],
  ['C:\new', 'on Windows a name cannot contain \\u000a'],
  [`C:\\${'x'.repeat(256)}`, 'on Windows no name can be longer than 255 characters'],
  ['\\\\server', 'the name of a server needs that of a share behind it'],
  ['//server/', 'the name of a server needs that of a share behind it'],
  ['\\\\', 'the name of a server needs that of a share behind it'],
  ['C:\\data.\\x', 'on Windows no name can end with a dot or a space, as data. does'],
  ['C:\\data \\x', 'on Windows no name can end with a dot or a space, as "data " does'],
])('%s is no path for Windows', (given, reason) => {
  expect(findWindowsNameProblem(given)).toBe(reason);
});

test.each([
  ...['C:\\', 'C:', 'C:deep', 'D:report.json', '.', '..\\..', '', 'null', 'console.json', 'com10', 'a.con'],
  ...[
    '.json',
    '\\\\server\\share\\',
    '\\\\?\\C:\\data',
    '\\\\.\\C:\\data',
    '\\\\?\\UNC\\server\\share\\x',
    'ä ö/日本',
  ],
])('%j is a path for Windows', (given) => {
  expect(findWindowsNameProblem(given)).toBeNull();
});
