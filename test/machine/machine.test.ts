import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { inspectMachine } from '../../src/machine/machine.js';
import {
  createDeviceFinder,
  mountsFromDf,
  querySystemInformation,
  remoteFilesystem,
  resolveVolume,
} from '../../src/machine/system-information.js';
import { MIB } from '../../src/text/units.js';
import { gobonnieErrorWith } from '../support/data/fixtures.js';
import { makeDirectory } from '../support/disks/directory.js';
import { attachLoop } from '../support/disks/loop.js';
import { mount, mountTmpfs } from '../support/disks/mounts.js';
import { testOnLinux } from '../support/linux.js';
import { requireTools } from '../support/tools.js';

const asRoot = process.geteuid?.() === 0;

test('the facts of the host agree with the system', async () => {
  expect(await inspectMachine()).toMatchObject({
    platform: process.platform,
    os: `${os.type()} ${os.release()}`,
    arch: process.arch,
    nodeVersion: process.version,
    cpuModel: expect.stringMatching(/^\S(?:.*\S)?$/),
    cores: os.availableParallelism(),
    memoryBytes: os.totalmem(),
    isRoot: asRoot,
    target: { directory: os.tmpdir() },
  });
});

const MISSING = 'does not exist; pass an existing directory; perhaps its disk is not mounted';
const NO_DIRECTORY = 'is not a directory; pass the path of a directory';

test.each<[string, string, (file: string) => void]>([
  ['missing directory', MISSING, () => {}],
  ['dangling link', MISSING, (file) => symlinkSync('nowhere', file)],
  ['file', NO_DIRECTORY, (file) => writeFileSync(file, 'mine')],
  ['FIFO', NO_DIRECTORY, (file) => execFileSync('mkfifo', [file])],
  [
    'link to itself',
    'cannot be used: too many symbolic links encountered (ELOOP); measure another directory',
    (file) => symlinkSync(path.basename(file), file),
  ],
])('a %s cannot be measured: %s', async (_, problem, create) => {
  const file = path.join(makeDirectory(), 'target');
  create(file);
  await expect(inspectMachine(file)).rejects.toThrow(
    gobonnieErrorWith('directory-unusable', `--dir ${file} ${problem}`),
  );
});

test('a path below a file cannot be used', async () => {
  const file = path.join(makeDirectory(), 'file');
  writeFileSync(file, 'mine');
  await expect(inspectMachine(path.join(file, 'below'))).rejects.toThrow(
    gobonnieErrorWith(
      'directory-unusable',
      `--dir ${file}/below cannot be used: not a directory (ENOTDIR); measure another directory`,
    ),
  );
});

testOnLinux('df, which is used without mountinfo, reports the same root filesystem', async () => {
  const { target } = await inspectMachine('/');
  expect(await mountsFromDf()).toContainEqual(
    expect.objectContaining({ path: '/', filesystem: target.filesystem }),
  );
});

test('a tmpfs that is larger than the RAM has at most as much free space as RAM', async (context) => {
  requireTools('root', 'mount', 'umount')(context);
  const directory = mountTmpfs('size=100t');
  const { target } = await inspectMachine(directory);
  expect(target).toMatchObject({ filesystem: 'tmpfs', mount: directory });
  expect(target.totalBytes).toBeGreaterThan(os.totalmem());
  expect(target.availableBytes).toBeLessThanOrEqual(os.totalmem());
});

/** Mounts something on a new directory for one test. */
function mountOn(...args: readonly string[]): string {
  return mount(makeDirectory(), args);
}

describe('the device under a mount', () => {
  beforeEach(requireTools('root', 'mount', 'umount', 'losetup', 'mkfs.ext4'));

  test('is found with the options of the mount', async () => {
    const device = attachLoop(16 * MIB);
    execFileSync('mkfs.ext4', ['-q', device]);
    const { target } = await inspectMachine(mountOn('-o', 'noatime', device));
    expect(target).toMatchObject({
      filesystem: 'ext4',
      device,
      isMemory: false,
      disk: { name: path.basename(device), sizeBytes: 16 * MIB },
      compression: null,
      encryption: null,
    });
    expect(target.mountOptions).toEqual(expect.arrayContaining(['rw', 'noatime']));
  });

  test('is memory for an overlay whose upper directory is on a tmpfs', async () => {
    const { target } = await inspectMachine(mountOverlay(mountTmpfs('size=16m')));
    expect(target).toMatchObject({ filesystem: 'overlay', isMemory: true, disk: null });
  });
});

function mountOverlay(directory: string): string {
  const [lower, upper, work] = ['lower', 'upper', 'work'].map((name) => path.join(directory, name));
  execFileSync('mkdir', [`${lower}`, `${upper}`, `${work}`]);
  return mountOn('-t', 'overlay', '-o', `lowerdir=${lower},upperdir=${upper},workdir=${work}`, 'overlay');
}

test('a btrfs, whose device number belongs to no device, is found with its disk and its compression', async (context) => {
  requireTools('root', 'mount', 'umount', 'losetup', 'mkfs.btrfs')(context);
  const device = attachLoop(128 * MIB);
  execFileSync('mkfs.btrfs', ['--quiet', device]);
  const { target } = await inspectMachine(mountOn('-o', 'compress=zstd', device));
  expect(target).toMatchObject({
    filesystem: 'btrfs',
    device,
    isMemory: false,
    disk: { name: path.basename(device), logicalBlockBytes: 512, sizeBytes: 128 * MIB },
    compression: 'zstd:3',
  });
});

test('systeminformation, which finds the disk without sysfs, agrees with sysfs', async (context) => {
  requireTools('root', 'losetup', 'lsblk')(context);
  const device = attachLoop(4 * MIB);
  const name = path.basename(device);
  const sectors = Number(readFileSync(`/sys/class/block/${name}/size`, 'utf8'));
  const { disk } = (await createDeviceFinder())(device);
  expect(disk).toMatchObject({ name, diskstatsName: name, sizeBytes: sectors * 512 });
});

describe('the result of a helper program', () => {
  /** Writes a module with this function. */
  const writeModule = (fsSize: string) => {
    const file = path.join(makeDirectory(), 'module.cjs');
    writeFileSync(file, `exports.fsSize = ${fsSize};`);
    return file;
  };

  test('is returned once it is complete', async () => {
    const module = writeModule('async () => [{ mount: "/" }]');
    expect(await querySystemInformation('fsSize', 60_000, module)).toEqual([{ mount: '/' }]);
  });

  test.each([
    ['the program fails', 'async () => { throw new Error("no such program"); }'],
    ['the program ends before it is written to', '() => new Promise(() => setImmediate(() => { throw 1; }))'],
  ])('is null if %s', async (_, text) => {
    expect(await querySystemInformation('fsSize', 60_000, writeModule(text))).toBeNull();
  });

  test.each([
    ['a timer', '() => new Promise(() => setTimeout(() => {}, 1e6))'],
    ['execSync', 'async () => require("node:child_process").execSync("sleep 60")'],
  ])('is null if %s takes too long', { timeout: 30_000 }, async (_, text) => {
    expect(await querySystemInformation('fsSize', 500, writeModule(text))).toBeNull();
  });
});

const mountAt = (at: string) => ({
  path: at,
  filesystem: 'apfs',
  device: `/dev/${at}`,
  deviceNumber: '',
  options: [],
});

test("macOS's volume of users' files is found by its device, because by their paths its files are on the system volume", async () => {
  const data = makeDirectory();
  const elsewhere = '/proc';
  const mounts = [mountAt('/'), mountAt(data)];
  expect(await resolveVolume(path.dirname(data), mountAt('/'), mounts, data)).toEqual(mountAt(data));
  expect(await resolveVolume(elsewhere, mountAt('/'), mounts, data)).toEqual(mountAt('/'));
});

test.each([
  ['\\\\nas\\share\\dir', false, 'win32', 'smb'],
  ['\\\\?\\UNC\\nas\\share', false, 'win32', 'smb'],
  ['\\\\wsl$\\Debian\\home', false, 'win32', '9p'],
  ['\\\\?\\C:\\dir', false, 'win32', null],
  ['C:\\dir', false, 'win32', null],
  ['Z:\\', true, 'win32', 'smb'],
  // Two slashes at the start of a path do not mean a server.
  ['//nas/share', false, 'linux', null],
])('%s, on a network drive: %s, on %s, is served by %s', (directory, isRemote, platform, protocol) => {
  expect(remoteFilesystem(directory, isRemote, platform)).toBe(protocol);
});
