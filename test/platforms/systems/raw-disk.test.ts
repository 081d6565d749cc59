import { beforeEach, describe, expect, test } from 'vitest';
import { MIB } from '../../../src/text/units.js';
import { SimulatedSystem } from '../../support/platforms/simulated-system.js';
import { requireTools } from '../../support/tools.js';
import { attachReadOnlyLoop, makeFile } from '../../zones/files.js';

/** As `diskutil info -all` prints a disk. */
const diskutil = (bytes: number) => `cat <<'END'
   Device Identifier:         disk9
   Device Node:               /dev/disk9
   Whole:                     Yes
   Disk Size:                 3.1 MB (${bytes} Bytes) (exactly ${bytes / 512} 512-Byte-Units)

**********

END`;
const system_profiler = 'exit 0';
const macOS = new SimulatedSystem('darwin', { diskutil: diskutil(3 * MIB), system_profiler });
const silent = new SimulatedSystem('darwin', { diskutil: 'exit 1', system_profiler });
const windows = new SimulatedSystem('win32');

beforeEach(requireTools('root', 'unshare', 'losetup', 'mknod'));

/** A command that puts this device into an empty /dev, by the names that macOS gives it. */
function asDisk9(device: string): string {
  const nodes = ['rdisk9', 'disk9'].map((name) => `mknod /dev/${name} b $numbers`);
  return [
    `numbers=$(stat -c '%Hr %Lr' ${device})`,
    'mount --bind /dev/shm /mnt',
    'mount -t tmpfs none /dev',
    // The simulated system may be there.
    'mkdir /dev/shm',
    'mount --bind /mnt /dev/shm',
    'mknod /dev/null c 1 3',
    'ln -s rdisk9 /dev/link',
    ...nodes,
  ].join(' && ');
}

function zonesOf(system: SimulatedSystem, file: string, block = '2') {
  return system.run(['zones', '--block', block, file], asDisk9(attachReadOnlyLoop(makeFile(3 * MIB))));
}

describe('zones on macOS, as Node shows it,', () => {
  test.each([
    ['whose size diskutil knows', macOS, '/dev/rdisk9'],
    ['whose size nothing tells', silent, '/dev/rdisk9'],
    ['by a link', macOS, '/dev/link'],
  ])('reads a raw disk %s to its end, without a warning', async (_, system, file) => {
    const { stdout, stderr, exitCode } = await zonesOf(system, file);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^0\.0+ .*\n#0\.\d+ .*\(the last 1\.00 MiB\)\n# Read 3\.00 MiB in /m);
  });

  test('knows from diskutil that a block is larger than the disk', async () => {
    expect(await zonesOf(macOS, '/dev/rdisk9', '4')).toMatchObject({
      stderr: 'gobonnie: /dev/rdisk9 is 3 MiB, smaller than one block (4 MiB); for example, --block 1\n',
      exitCode: 2,
    });
  });

  test.each([
    ['/dev/disk9', 'is read through the page cache; name /dev/rdisk9, the same disk without the cache'],
    ['/dev/null', 'is a character device; name a file or disk'],
  ])('refuses %s in one line', async (file, complaint) => {
    expect(await zonesOf(macOS, file)).toMatchObject({
      stdout: '',
      stderr: `gobonnie: ${file} ${complaint}\n`,
      exitCode: 2,
    });
  });

  test('names the raw disk as the way around the cache that a file is read through', async () => {
    const { stderr, exitCode } = await zonesOf(macOS, makeFile(2 * MIB));
    expect(stderr).toMatch(
      /cannot be read with O_DIRECT: .*; read the disk under it instead, such as \/dev\/rdisk0/,
    );
    expect(exitCode).toBe(0);
  });
});

test('zones on Windows refuses a device in one line', async () => {
  const device = '\\\\.\\PhysicalDrive0';
  expect(await windows.run(['zones', device])).toMatchObject({
    stdout: '',
    stderr: `gobonnie: ${device} is a device; name a file: zones reads devices only on Linux and macOS\n`,
    exitCode: 2,
  });
});
