import { beforeEach, describe, expect, test } from 'vitest';
import { MIB } from '../../../src/text/units.js';
import { SimulatedMacOS } from '../../support/platforms/simulated-macos.js';
import { requireTools } from '../../support/tools.js';
import { attachReadOnlyLoop, makeFile } from '../../zones/files.js';

/** Script that prints a disk as `diskutil info -all` does. */
const diskutil = (bytes: number) => `cat <<'END'
   Device Identifier:         disk9
   Device Node:               /dev/disk9
   Whole:                     Yes
   Disk Size:                 3.1 MB (${bytes} Bytes) (exactly ${bytes / 512} 512-Byte-Units)

**********

END`;
const system_profiler = 'exit 0';
const macOS = new SimulatedMacOS({ diskutil: diskutil(3 * MIB), system_profiler });
const withoutDiskutil = new SimulatedMacOS({ diskutil: 'exit 1', system_profiler });

beforeEach(requireTools('root', 'unshare', 'losetup', 'mknod'));

/** Returns a command that mounts an empty /dev and adds this device with its macOS names. */
function asDisk9(device: string): string {
  const nodes = ['rdisk9', 'disk9'].map((name) => `mknod /dev/${name} b $numbers`);
  return [
    `numbers=$(stat -c '%Hr %Lr' ${device})`,
    'mount --bind /dev/shm /mnt',
    'mount -t tmpfs none /dev',
    // The simulated system may be in /dev/shm.
    'mkdir /dev/shm',
    'mount --bind /mnt /dev/shm',
    'mknod /dev/null c 1 3',
    'ln -s rdisk9 /dev/link',
    ...nodes,
  ].join(' && ');
}

function zonesOf(system: SimulatedMacOS, file: string, block = '2') {
  return system.run(['zones', '--block', block, file], asDisk9(attachReadOnlyLoop(makeFile(3 * MIB))));
}

describe('zones on simulated macOS', () => {
  test.each([
    ['whose size diskutil reports', macOS, '/dev/rdisk9'],
    ['whose size is unknown', withoutDiskutil, '/dev/rdisk9'],
    ['that a link names', macOS, '/dev/link'],
  ])('reads a raw disk %s to its end, without a warning', async (_, system, file) => {
    const { stdout, stderr, exitCode } = await zonesOf(system, file);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^0\.0+ .*\n#0\.\d+ .*\(the last 1\.00 MiB\)\n# Read 3\.00 MiB in /m);
  });

  test.each([
    ['/dev/disk9', 'is read through the page cache; name /dev/rdisk9, the same disk without the cache'],
    ['/dev/null', 'is not a file or disk; name one, such as /dev/rdisk0'],
  ])('rejects %s in one line', async (file, message) => {
    expect(await zonesOf(macOS, file)).toMatchObject({
      stdout: '',
      stderr: `gobonnie: ${file} ${message}\n`,
      exitCode: 2,
    });
  });

  test('advises to read the raw disk instead of a file that is read through the page cache', async () => {
    const { stderr, exitCode } = await zonesOf(macOS, makeFile(2 * MIB));
    expect(stderr).toMatch(
      /cannot be read with O_DIRECT: .*; read the underlying disk instead, such as \/dev\/rdisk0/,
    );
    expect(exitCode).toBe(0);
  });
});
