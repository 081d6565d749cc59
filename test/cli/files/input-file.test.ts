import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readInputFile, readStream } from '../../../src/cli/files/input-file.js';
import { refusal } from '../../support/data/fixtures.js';
import { makeDirectory } from '../../support/disks/directory.js';
import { testOnLinux } from '../../support/linux.js';
import { start } from '../../support/programs/program.js';

const MOST_BYTES = 64 * 1024 ** 2;
const WAY_OUT = 'pass a result file that you may read';

function refused(name: string, reason: string): Error {
  return refusal('unreadable', `${name} cannot be read: ${reason}; ${WAY_OUT}`);
}

function fileWith(content: string | Buffer): string {
  const file = path.join(makeDirectory(), 'results');
  writeFileSync(file, content);
  return file;
}

test('a file is read whole, also by a symlink', async () => {
  const text = 'Zürich ✓\n'.repeat(50_000);
  const file = fileWith(text);
  symlinkSync(file, `${file}.link`);
  expect(await readInputFile(file)).toBe(text);
  expect(await readInputFile(`${file}.link`)).toBe(text);
});

test('what is no UTF-8 is read all the same', async () => {
  expect(await readInputFile(fileWith(Buffer.from('J\xf6rg 1', 'latin1')))).toBe('J\ufffdrg 1');
});

describe('refused is', () => {
  test('what is not there', async () => {
    const file = path.join(makeDirectory(), 'missing');
    await expect(readInputFile(file)).rejects.toThrow(refused(file, 'no such file or directory (ENOENT)'));
  });

  test('a directory', async () => {
    const directory = path.join(makeDirectory(), 'directory');
    mkdirSync(directory);
    await expect(readInputFile(directory)).rejects.toThrow(refused(directory, 'it is not a regular file'));
  });

  testOnLinux('a device, though it has content', async () => {
    await expect(readInputFile('/dev/zero')).rejects.toThrow(
      refused('/dev/zero', 'it is not a regular file'),
    );
  });

  testOnLinux('a FIFO, at once and without a writer', async () => {
    const fifo = path.join(makeDirectory(), 'fifo');
    expect((await start('mkfifo', [fifo]).ended).exitCode).toBe(0);
    await expect(readInputFile(fifo)).rejects.toThrow(refused(fifo, 'it is not a regular file'));
  });

  test('a file of more than 64 MiB', async () => {
    const file = fileWith('x');
    truncateSync(file, MOST_BYTES + 1);
    await expect(readInputFile(file)).rejects.toThrow(refused(file, 'it is larger than 64 MiB'));
  });
});

describe('of a stream', () => {
  test('everything is read, wherever its pieces part', async () => {
    const bytes = Buffer.from('ü1✓');
    const pieces = Array.from(bytes, (byte) => Buffer.of(byte));
    expect(await readStream('stdin', Readable.from(pieces))).toBe('ü1✓');
  });

  test('nothing at all is an empty text', async () => {
    expect(await readStream('stdin', [])).toBe('');
  });

  test('64 MiB are read and no more', async () => {
    const pieces = Array.from({ length: 64 }, () => Buffer.alloc(1024 ** 2, 'x'));
    expect(await readStream('stdin', pieces)).toHaveLength(MOST_BYTES);
    await expect(readStream('stdin', [...pieces, Buffer.from('x')])).rejects.toThrow(
      refused('stdin', 'it is larger than 64 MiB'),
    );
  });

  test('a failure is told', async () => {
    const broken = new Readable({
      read() {
        this.destroy(Object.assign(new Error('EIO'), { errno: -5, code: 'EIO' }));
      },
    });
    await expect(readStream('stdin', broken)).rejects.toThrow(refused('stdin', 'i/o error (EIO)'));
  });
});
