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
  ['C:\\data\\file:stream.json', 'Windows does not allow : in a name'],
  ['what?.json', 'Windows does not allow ? in a name'],
  ['C:\new', 'Windows does not allow \\u000a in a name'],
  [`C:\\${'x'.repeat(256)}`, 'Windows limits a name to 255 characters'],
  ['\\\\server', 'the server name needs a share name after it'],
  ['//server/', 'the server name needs a share name after it'],
  ['\\\\', 'the server name needs a share name after it'],
  ['C:\\data.\\x', 'data. ends with a dot or a space, which Windows does not allow'],
  ['C:\\data \\x', '"data " ends with a dot or a space, which Windows does not allow'],
])('%s is not a valid path on Windows', (file, reason) => {
  expect(findWindowsNameProblem(file)).toBe(reason);
});

test.each([
  'C:\\',
  'C:',
  'C:deep',
  'D:report.json',
  '.',
  '..\\..',
  '',
  'null',
  'console.json',
  'com10',
  'a.con',
  '.json',
  '\\\\server\\share\\',
  '\\\\?\\C:\\data',
  '\\\\.\\C:\\data',
  '\\\\?\\UNC\\server\\share\\x',
  'ä ö/日本',
])('%j is a valid path on Windows', (file) => {
  expect(findWindowsNameProblem(file)).toBeNull();
});
