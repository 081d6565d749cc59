import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readInputFile, readStream } from '../../../src/cli/files/input-file.js';
import { gobonnieErrorWith } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';
import { startProcess } from '../../support/programs/program.js';

const MOST_BYTES = 64 * 1024 ** 2;
const HINT = 'pass a result file that you may read';

function refused(name: string, reason: string): Error {
  return gobonnieErrorWith('input-unreadable', `${name} cannot be read: ${reason}; ${HINT}`);
}

function fileWith(content: string | Buffer): string {
  const file = path.join(makeDirectory(), 'results');
  writeFileSync(file, content);
  return file;
}

test('a file is read as a whole, also through a symlink', async () => {
  const text = 'Zürich ✓\n'.repeat(50_000);
  const file = fileWith(text);
  symlinkSync(file, `${file}.link`);
  expect(await readInputFile(file)).toBe(text);
  expect(await readInputFile(`${file}.link`)).toBe(text);
});

test('bytes that are not UTF-8 are replaced', async () => {
  expect(await readInputFile(fileWith(Buffer.from('J\xf6rg 1', 'latin1')))).toBe('J\ufffdrg 1');
});

test('UTF-16, as Windows PowerShell redirects', async () => {
  expect(await readInputFile(fileWith(Buffer.from('\uFEFFZürich ✓\r\n', 'utf16le')))).toBe('Zürich ✓\r\n');
});

describe('refused:', () => {
  test('a missing file', async () => {
    const file = path.join(makeDirectory(), 'missing');
    await expect(readInputFile(file)).rejects.toThrow(refused(file, 'no such file or directory (ENOENT)'));
  });

  test('a directory', async () => {
    const directory = path.join(makeDirectory(), 'directory');
    mkdirSync(directory);
    await expect(readInputFile(directory)).rejects.toThrow(refused(directory, 'it is not a regular file'));
  });

  testOnLinux('a device', async () => {
    await expect(readInputFile('/dev/zero')).rejects.toThrow(
      refused('/dev/zero', 'it is not a regular file'),
    );
  });

  testOnLinux('a FIFO, without waiting for a writer', async () => {
    const fifo = path.join(makeDirectory(), 'fifo');
    expect((await startProcess('mkfifo', [fifo]).exitResult).exitCode).toBe(0);
    await expect(readInputFile(fifo)).rejects.toThrow(refused(fifo, 'it is not a regular file'));
  });

  test('a file of more than 64 MiB', async () => {
    const file = fileWith('x');
    truncateSync(file, MOST_BYTES + 1);
    await expect(readInputFile(file)).rejects.toThrow(refused(file, 'it is larger than 64 MiB'));
  });
});

describe('a stream', () => {
  test('is read as a whole, even if its chunks split characters', async () => {
    const bytes = Buffer.from('ü1✓');
    const pieces = Array.from(bytes, (byte) => Buffer.of(byte));
    expect(await readStream('stdin', Readable.from(pieces))).toBe('ü1✓');
  });

  test('may be empty', async () => {
    expect(await readStream('stdin', [])).toBe('');
  });

  test('of more than 64 MiB is refused', async () => {
    const pieces = Array.from({ length: 64 }, () => Buffer.alloc(1024 ** 2, 'x'));
    expect(await readStream('stdin', pieces)).toHaveLength(MOST_BYTES);
    await expect(readStream('stdin', [...pieces, Buffer.from('x')])).rejects.toThrow(
      refused('stdin', 'it is larger than 64 MiB'),
    );
  });

  test('that fails is refused with the reason', async () => {
    const broken = new Readable({
      read() {
        this.destroy(Object.assign(new Error('EIO'), { errno: -5, code: 'EIO' }));
      },
    });
    await expect(readStream('stdin', broken)).rejects.toThrow(refused('stdin', 'i/o error (EIO)'));
  });
});
