import { expect, test } from 'vitest';
import { bonniePlusPlus } from '../../../src/cli/compat/bonnie-plus-plus.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import { defaultsInHelp, parseRequest, readHelp, rejectionLine } from './requests.js';

test('gobonnie bonnie++ is a command that exits with 5 after a signal', async () => {
  expect(await requestFrom(['bonnie++', '-r0', '-s8'])).toMatchObject({
    rawOptions: { size: 8 / 1024 },
    abortedExitCode: 5,
    ignoredSignals: ['SIGHUP'],
    prepare: expect.any(Function),
  });
});

test.each([
  ['', ['bonnie++', 'bonnie++-csv'], 'bonnie++'],
  ['-q', ['bonnie++-csv'], 'bonnie++-tables'],
  ['-x 1', ['bonnie++-csv'], 'bonnie++'],
  ['-q -x 1', ['bonnie++-csv'], 'none'],
])('with the flags %j, stdout and stderr have their formats', (flags, formats, logFormat) => {
  expect(parseRequest(bonniePlusPlus, flags)).toMatchObject({ formats, logFormat });
});

test.each([
  ['-q 20', 'there is no command or argument 20; see gobonnie bonnie++ --help'],
  ['-qk', 'unknown option -k; see gobonnie bonnie++ --help'],
  ['-q -c', '-c has no value; '],
])('%s is rejected: %s', (flags, line) => {
  expect(rejectionLine(bonniePlusPlus, flags)).toContain(line);
});

test('the help shows the defaults, and the cost of byte-wise code in Node', () => {
  expect(readHelp(bonniePlusPlus).replace(/\s+/g, ' ')).toContain('the cost of byte-wise code in Node');
  expect(defaultsInHelp(bonniePlusPlus)).toEqual([
    '.',
    'twice the RAM:8192:8192:5',
    '16',
    '20',
    "the machine's RAM",
    '1',
    'random',
    'once, with the tables',
    "the host's name",
  ]);
});
