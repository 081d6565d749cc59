import { expect, test } from 'vitest';
import { bonnie } from '../../../src/cli/compat/bonnie.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import type { OptionsInput } from '../../../src/options/options-schema.js';
import { MIB } from '../../../src/text/units.js';
import { planWith } from '../../support/data/fixtures.js';
import { defaultsInHelp, parseRequest, rejectionLine } from './requests.js';

const parse = (flags: string) => parseRequest(bonnie, flags).rawOptions;

test('gobonnie bonnie is a command with the usual exit code after a signal, and without preparation', async () => {
  const request = await requestFrom(['bonnie', '-s', '8']);
  expect(request).toMatchObject({ rawOptions: { size: 8 / 1024 }, formats: ['bonnie'] });
  expect(request).not.toHaveProperty('abortedExitCode');
  expect(request).not.toHaveProperty('prepare');
});

test('without flags, it measures 100 MiB in one file in the current directory, in chunks of 16384 bytes, with 4000 seeks by three threads', () => {
  expect(parse('')).toEqual({
    dir: '.',
    size: 100 / 1024,
    unique: false,
    noFsync: true,
    seekThreads: 3,
    seeks: 4000,
    dataFiles: 1,
    direct: false,
    threads: 1,
    blockSize: 16_384,
    ioSize: 16_384,
    cache: 'keep',
    phases: ['putc', 'rewrite', 'write', 'getc', 'read', 'seeks'],
  });
});

test.each<[string, OptionsInput]>([
  ['-d /mnt/disk', { dir: '/mnt/disk' }],
  ['-s=8', { size: 8 / 1024 }],
  ['-m gum07', { label: 'gum07' }],
  ['-p 5', { seekThreads: 5 }],
  ['-S 100', { seeks: 100 }],
  ['-v 3', { dataFiles: 3, size: 300 / 1024 }],
  ['-r', { unique: true }],
  ['-y', { noFsync: false }],
  ['-o_direct', { direct: true }],
  ['-html', {}],
  ['-s 1 -s 2', { size: 2 / 1024 }],
])('%s sets only its own options', (flags, options) => {
  expect(parse(flags)).toEqual({ ...parse(''), ...options });
});

test.each([
  ['-html', 'bonnie-html'],
  ['-f=html', 'bonnie-html'],
  ['-f html -f txt', 'bonnie'],
  ['-f txt -html', 'bonnie-html'],
])('%s selects the format %s', (flags, format) => {
  expect(parseRequest(bonnie, flags).formats).toEqual([format]);
});

test.each([1, 1023])('-s %i -v 3 plans three files of exactly that many MiB', (megabytes) => {
  const { slices, byteWiseTotalBytes } = planWith(parse(`-s ${megabytes} -v 3`));
  expect(slices.map(({ file, lengthBytes }) => [file, lengthBytes])).toEqual(
    ['bonnie.0', 'bonnie.1', 'bonnie.2'].map((file) => [file, megabytes * MIB]),
  );
  expect(byteWiseTotalBytes).toBe(3 * megabytes * MIB);
});

test.each([
  ['-s 0', 'invalid -s 0: expected a whole number from 1 to 8589934592; for example, -s 100'],
  ['-s 8589934592 -v 2', 'invalid -s 8589934592: expected a whole number from 1 to 4294967296; '],
  ['-v 1025', 'invalid -v 1025: expected a whole number from 1 to 1024; for example, -v 1'],
  ['-p 0', 'invalid -p 0: expected a whole number, 1 or more; for example, -p 3'],
  ['-S 1073741825', 'invalid -S 1073741825: expected a whole number from 1 to 1073741824; '],
  ['-html -f HTML', 'unknown -f HTML; pass one of txt, html'],
  ['-d=', 'invalid -d "": expected the path of a directory; for example, -d /mnt/disk'],
  [
    '-m two\nlines',
    'invalid -m "two\\nlines": expected a name without line breaks; for example, -m goldhost',
  ],
  ['-y=maybe', '=maybe is neither true nor false; pass '],
  ['-s', '-s has no value; '],
])('%j is rejected: %s', (flags, line) => {
  expect(rejectionLine(bonnie, flags)).toContain(line);
});

test('the help shows the defaults', () => {
  expect(defaultsInHelp(bonnie)).toEqual(['.', '100', '1', '3', '4000', "the host's name", 'txt']);
});
