import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { MIB } from '../../src/text/units.js';
import { openSource, type ZoneSource } from '../../src/zones/source.js';
import { makeDirectory } from '../support/disks/directory.js';
import { mount, mountTmpfs } from '../support/disks/mounts.js';
import { requireTools } from '../support/tools.js';
import { attachReadOnlyLoop, makeFile, makeSparseFile } from './files.js';

async function openForTest(file: string, blockBytes = MIB): Promise<ZoneSource> {
  const source = await openSource(file, blockBytes);
  onTestFinished(() => source.handle.close());
  return source;
}

/** Returns the error of opening a source. */
async function openError(file: string, blockBytes = MIB) {
  const error = await openSource(file, blockBytes).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'GobonnieError', code: 'option-invalid', kind: 'usage' });
  return error as Error & { readonly hint: string };
}

describe('opening a source', () => {
  test('accepts a file and returns its size', async () => {
    const file = makeFile(2 * MIB + 5);
    expect(await openForTest(file)).toMatchObject({
      file,
      path: file,
      isDevice: false,
      sizeBytes: 2 * MIB + 5,
    });
  });

  test('follows links and keeps the name that the user passed', async () => {
    const file = makeFile(MIB);
    const link = path.join(path.dirname(file), 'link');
    const other = path.join(path.dirname(file), 'other');
    symlinkSync('data', other);
    symlinkSync(other, link);
    expect(await openForTest(link)).toMatchObject({ file: link, path: file, sizeBytes: MIB });
  });

  describe('on a device', () => {
    beforeEach(requireTools('root', 'losetup'));

    test('follows a link such as in /dev/disk, and returns the size of the whole device', async () => {
      const device = attachReadOnlyLoop(makeFile(3 * MIB));
      const link = path.join(makeDirectory(), 'by-id');
      symlinkSync(device, link);
      expect(await openForTest(link)).toMatchObject({
        path: device,
        isDevice: true,
        direct: true,
        sizeBytes: 3 * MIB,
      });
    });

    test('accepts a device node of unknown size outside /dev', async () => {
      const [, major = '', minor = ''] =
        /(\w+),\s*(\w+)/.exec(
          execFileSync('stat', ['--format=%Hr,%Lr', attachReadOnlyLoop(makeFile(MIB))], { encoding: 'utf8' }),
        ) ?? [];
      const node = path.join(makeDirectory('/dev'), 'node');
      execFileSync('mknod', [node, 'b', major, minor]);
      expect(await openForTest(node)).toMatchObject({ isDevice: true, sizeBytes: null });
    });
  });

  test('falls back to the page cache on a filesystem that rejects O_DIRECT', async (context) => {
    requireTools('root', 'mount')(context);
    const file = makeFile(MIB, mount(makeDirectory(), ['-t', 'ramfs', 'none']));
    expect(await openForTest(file)).toMatchObject({ direct: false, sizeBytes: MIB });
  });
});

describe('opening is rejected for', () => {
  test('a FIFO, without waiting for its other end', async () => {
    const fifo = path.join(makeDirectory(), 'fifo');
    execFileSync('mkfifo', [fifo]);
    expect((await openError(fifo)).message).toBe(`${fifo} is not a file or block device`);
  });

  test('a file smaller than a block, with a hint to pass a smaller --block', async () => {
    const file = makeSparseFile(25 * MIB);
    const { message, hint } = await openError(file, 64 * MIB);
    expect(message).toBe(`${file} is 25 MiB, smaller than one block (64 MiB)`);
    expect(hint).toBe('for example, --block 3');
    await openForTest(file, 3 * MIB);
  });

  test('a missing file, which is not created', async () => {
    const file = path.join(makeDirectory(), 'missing');
    expect(await openError(file)).toMatchObject({
      message: `${file} cannot be read: no such file or directory (ENOENT)`,
      hint: 'name an existing file or block device',
    });
    expect(existsSync(file)).toBe(false);
  });
});

test('for another user than root, a file that only root may read is rejected with a hint to run as root', async (context) => {
  requireTools('root')(context);
  const file = makeFile(MIB);
  chmodSync(file, 0o600);
  process.seteuid?.(65_534);
  onTestFinished(() => process.seteuid?.(0));
  expect(await openError(file)).toMatchObject({
    message: `${file} cannot be read: permission denied (EACCES)`,
    hint: 'name a file that you may read, or run as root',
  });
});

test('a device that even root may not read is rejected without a hint to run as root', async (context) => {
  requireTools('root', 'mount', 'mknod')(context);
  const device = path.join(mountTmpfs('size=1m,nodev'), 'device');
  execFileSync('mknod', [device, 'b', '7', '0']);
  expect(await openError(device)).toMatchObject({
    message: `${device} cannot be read: permission denied (EACCES)`,
    hint: 'name a file that you may read',
  });
});

test('a source is opened for reading only', async () => {
  const { handle } = await openForTest(makeFile(MIB));
  const info = existsSync('/proc/self/fdinfo') ? readFileSync(`/proc/self/fdinfo/${handle.fd}`, 'utf8') : '';
  if (info) expect(Number.parseInt(/^flags:\s+(\d+)$/m.exec(info)?.[1] ?? '', 8) & 0o3).toBe(0);
  await expect(handle.write('x')).rejects.toMatchObject({ code: 'EBADF' });
});
