import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readInputFile, readNamedText } from '../../../src/cli/files/input-file.js';
import type { CliProcess } from '../../../src/cli/output/terminal.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';

const MAX_BYTES = 64 * 1024 ** 2;
const HINT = 'check the path';

function inputError(name: string, reason: string): Error {
  return gobonnieErrorWith('input-unreadable', `${name} cannot be read: ${reason}; ${HINT}`);
}

function fileWith(content: string | Buffer): string {
  const file = path.join(makeDirectory(), 'results');
  writeFileSync(file, content);
  return file;
}

test('readInputFile returns the whole file, even through a symlink', async () => {
  const text = 'Zürich ✓\n'.repeat(50_000);
  const file = fileWith(text);
  symlinkSync(file, `${file}.link`);
  expect(await readInputFile(file)).toBe(text);
  expect(await readInputFile(`${file}.link`)).toBe(text);
});

test('readInputFile decodes UTF-16, the encoding of a PowerShell redirection', async () => {
  expect(await readInputFile(fileWith(Buffer.from('\uFEFFZürich ✓\r\n', 'utf16le')))).toBe('Zürich ✓\r\n');
});

test.each<[string, (file: string) => void, string]>([
  ['a missing file', () => {}, 'no such file or directory (ENOENT)'],
  ['a directory', mkdirSync, 'it is not a regular file'],
  [
    'a file larger than 64 MiB',
    (file) => {
      writeFileSync(file, 'x');
      truncateSync(file, MAX_BYTES + 1);
    },
    'it is larger than 64 MiB',
  ],
])('readInputFile rejects %s', async (_, create, reason) => {
  const file = path.join(makeDirectory(), 'file');
  create(file);
  await expect(readInputFile(file)).rejects.toThrow(inputError(file, reason));
});

testOnLinux('readInputFile rejects a FIFO, without waiting for a writer', async () => {
  const fifo = path.join(makeDirectory(), 'fifo');
  execFileSync('mkfifo', [fifo]);
  await expect(readInputFile(fifo)).rejects.toThrow(inputError(fifo, 'it is not a regular file'));
});

/** Reads the pieces as stdin. */
async function readStdin(pieces: Iterable<Buffer> | Readable): Promise<string> {
  const { name, text } = await readNamedText('-', { stdin: pieces } as unknown as CliProcess);
  expect(name).toBe('stdin');
  return text;
}

describe('readNamedText of -', () => {
  test('returns the whole text, even if chunks split characters', async () => {
    const bytes = Buffer.from('ü1✓');
    const pieces = Array.from(bytes, (byte) => Buffer.of(byte));
    expect(await readStdin(Readable.from(pieces))).toBe('ü1✓');
  });

  test('rejects a stream larger than 64 MiB', async () => {
    const pieces = Array.from({ length: 64 }, () => Buffer.alloc(1024 ** 2, 'x'));
    expect(await readStdin(pieces)).toHaveLength(MAX_BYTES);
    await expect(readStdin([...pieces, Buffer.from('x')])).rejects.toThrow(
      inputError('stdin', 'it is larger than 64 MiB'),
    );
  });
});
