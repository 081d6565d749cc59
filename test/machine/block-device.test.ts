import { readFileSync, statSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { findLowerCache, formatDeviceNumber, readBlockDevice } from '../../src/machine/block-device.js';
import { findAttachedDevice } from '../../src/machine/system-information.js';
import { MIB } from '../../src/text/units.js';
import { makeDirectory } from '../support/disks/directory.js';
import { attachLoop } from '../support/disks/loop.js';
import { makeSysfs } from '../support/disks/sysfs.js';
import { requireTools } from '../support/tools.js';

const NVME = {
  'pci/nvme0n1': {
    dev: '259:0',
    size: '2000409264',
    'device/model': 'Samsung SSD 980 PRO 1TB                 ',
    'queue/rotational': '0',
    'queue/scheduler': '[none] mq-deadline kyber',
    'queue/write_cache': 'write back',
    'queue/logical_block_size': '512',
    'queue/physical_block_size': '4096',
  },
  'pci/nvme0n1/nvme0n1p2': { dev: '259:2', size: '1000000', partition: '2' },
};

test('a partition has its own name and size, and the other facts of its disk', async () => {
  const device = await readBlockDevice('259:2', '/dev/nvme0n1p2', makeSysfs(NVME));
  expect(device?.deviceNumbers).toEqual(['259:0']);
  expect(device?.disk).toEqual({
    name: 'nvme0n1p2',
    diskstatsName: 'nvme0n1',
    model: 'Samsung SSD 980 PRO 1TB',
    rotational: false,
    scheduler: 'none',
    writeCache: 'write back',
    logicalBlockBytes: 512,
    physicalBlockBytes: 4096,
    sizeBytes: 512_000_000,
    encryption: null,
    transport: 'nvme',
    link: null,
  });
});

test.each(['0:39', ''])(
  'the number "%s", which belongs to no disk, falls back to the device file',
  async (number) => {
    const disk = (await readBlockDevice(number, '/dev/nvme0n1p2', makeSysfs(NVME)))?.disk;
    expect(disk).toMatchObject({ name: 'nvme0n1p2', diskstatsName: 'nvme0n1' });
  },
);

test.each(['overlay', '/srv/nvme0n1p2', '/dev/root', '/dev/mapper/nvme0n1p2'])(
  '%s without a number is on no disk',
  async (source) => {
    expect(await readBlockDevice('0:39', source, makeSysfs(NVME))).toBeNull();
  },
);

test.each<[string, Readonly<Record<string, string>>, object]>([
  ['the scheduler in brackets', { 'queue/scheduler': 'none [kyber]' }, { scheduler: 'kyber' }],
  ['that it rotates', { 'queue/rotational': '1' }, { rotational: true }],
  ['the name of a mapping', { 'dm/name': 'vg-root' }, { model: 'vg-root' }],
  ['the backing file of a loop device', { 'loop/backing_file': '/srv/my image' }, { model: '/srv/my image' }],
  ['the name of an SD card', { 'device/name': 'SD32G' }, { model: 'SD32G' }],
])('a device reports %s', async (_, facts, expected) => {
  const sysfs = makeSysfs({ 'virtual/disk': { dev: '8:0', ...facts } });
  expect((await readBlockDevice('8:0', '', sysfs))?.disk).toMatchObject(expected);
});

test('a "!" in a name becomes a slash, as /proc/diskstats writes it', async () => {
  const sysfs = makeSysfs({
    'pci/cciss!c0d0': { dev: '104:0' },
    'pci/cciss!c0d0/cciss!c0d0p1': { dev: '104:1', partition: '1' },
  });
  const names = { name: 'cciss/c0d0p1', diskstatsName: 'cciss/c0d0' };
  expect((await readBlockDevice('104:1', '', sysfs))?.disk).toMatchObject(names);
  expect((await readBlockDevice('0:39', '/dev/cciss/c0d0p1', sysfs))?.disk).toMatchObject(names);
});

/** Creates a sysfs with LVM on a partition of a RAID, whose two halves are mappings on partitions. */
function makeStack(uuid: string): string {
  return makeSysfs({
    'virtual/dm-2': { dev: '252:2', 'dm/uuid': 'LVM-Zk3hVd', 'slaves/md0p1': 'virtual/md0/md0p1' },
    'virtual/md0': { dev: '9:0', 'slaves/dm-0': 'virtual/dm-0', 'slaves/dm-1': 'virtual/dm-1' },
    'virtual/md0/md0p1': { dev: '259:9', partition: '1' },
    'virtual/dm-0': { dev: '252:0', 'dm/uuid': 'LVM-Qx81ab', 'slaves/sda1': 'pci/sda/sda1' },
    'virtual/dm-1': { dev: '252:1', 'dm/uuid': uuid, 'slaves/sdb1': 'pci/sdb/sdb1' },
    'pci/sda': { dev: '8:0' },
    'pci/sda/sda1': { dev: '8:1', partition: '1' },
    'pci/sdb': { dev: '8:16' },
    'pci/sdb/sdb1': { dev: '8:17', partition: '1' },
  });
}

const VAULT = 'CRYPT-LUKS2-5d41402a-vault';

test.each([
  ['a mapping', '252:1', VAULT, 'dm-crypt'],
  ['LVM on a RAID on a mapping', '252:2', VAULT, 'dm-crypt'],
  ['a disk below a mapping', '8:17', VAULT, null],
  ['the half of the RAID that is not encrypted', '252:0', VAULT, null],
  ['a mapping that only verifies (dm-verity)', '252:2', 'CRYPT-VERITY-5d41402a-root', null],
  ['a mapping that only keeps checksums (dm-integrity)', '252:2', 'CRYPT-INTEGRITY-data', null],
])('the encryption of %s is found', async (_, number, uuid, encryption) => {
  expect((await readBlockDevice(number, '', makeStack(uuid)))?.disk).toMatchObject({ encryption });
});

test.each([
  ['uses', '0', false],
  ['bypasses', '1', true],
])('a loop device that %s the page cache is found below a mapping', async (_, dio, isDirect) => {
  const sysfs = makeSysfs({
    'virtual/dm-0': { dev: '252:0', 'dm/uuid': 'CRYPT-LUKS2-5d41402a-home', 'slaves/loop3': 'virtual/loop3' },
    'virtual/loop3': { dev: '7:3', 'loop/backing_file': '/home/me.home', 'loop/dio': dio },
  });
  expect((await readBlockDevice('252:0', '', sysfs))?.disk).toMatchObject({ encryption: 'dm-crypt' });
  const loops = [{ device: '/dev/loop3', file: '/home/me.home', isDirect }];
  const deviceNumbers = ['252:0', '7:3'];
  expect(await readBlockDevice('252:0', '', sysfs)).toMatchObject({
    isInMemory: false,
    loops,
    deviceNumbers,
  });
});

test.each([
  ['zram0', true],
  ['nvram', false],
])('a mapping on %s is in memory: %j', async (name, isInMemory) => {
  const sysfs = makeSysfs({
    'virtual/dm-0': { dev: '252:0', [`slaves/${name}`]: `virtual/${name}` },
    [`virtual/${name}`]: { dev: '8:0' },
  });
  expect(await readBlockDevice('252:0', '', sysfs)).toMatchObject({ isInMemory, loops: [] });
});

test('the number of a device is unpacked from a stat', () => {
  const packed = statSync('/dev/null').rdev;
  expect(formatDeviceNumber(packed)).toBe('1:3');
  expect(formatDeviceNumber(0x10_03_02)).toBe('3:258');
});

describe('a real loop device', () => {
  beforeEach(requireTools('root', 'losetup'));

  test.each([512, 4096] as const)('reports its sector size of %i bytes', async (sectorBytes) => {
    const image = path.join(makeDirectory(), 'image');
    const file = attachLoop(4 * MIB, sectorBytes, image);
    const name = path.basename(file);
    const number = readFileSync(`/sys/class/block/${name}/dev`, 'utf8').trim();
    const disk = (await readBlockDevice(number, ''))?.disk;
    expect(disk).toMatchObject({
      name,
      diskstatsName: name,
      model: image,
      rotational: expect.any(Boolean),
      logicalBlockBytes: sectorBytes,
      sizeBytes: 4 * MIB,
      encryption: null,
    });
    expect(disk?.physicalBlockBytes).toBeGreaterThanOrEqual(sectorBytes);
    expect((await readBlockDevice('0:39', file))?.disk).toEqual(disk);
    expect(readFileSync('/proc/diskstats', 'utf8')).toContain(` ${disk?.diskstatsName} `);
  });

  test('whose file was deleted has an unknown store', async () => {
    const image = path.join(makeDirectory(), 'image');
    const device = attachLoop(4 * MIB, 512, image);
    unlinkSync(image);
    expect(await findLowerCache(await readBlockDevice(formatDeviceNumber(statSync(device).rdev)))).toEqual({
      isMemory: false,
      lowerCache: { reason: `the backing file of ${device} is not accessible`, loopDevice: null },
    });
  });
});

describe('without sysfs', () => {
  const APPLE = 'APPLE SSD AP0512Q';
  const macVolumes = [
    { name: '/dev/disk0', size: 500_277_792_768, model: APPLE, device: '/dev/disk0' },
    { name: '/dev/disk3', size: 494_384_795_648, model: APPLE, device: '/dev/disk0' },
    { name: '/dev/disk3s5', size: 494_384_795_648, model: '', device: '/dev/disk0' },
    { name: '/dev/disk4s1', size: 1_000_000, model: 'Disk Image', device: '' },
  ];
  const NOTHING = { disk: null, isMemory: false, isRemote: false };
  const macDrives = [{ device: 'disk0', type: 'NVMe', name: APPLE, bytesPerSector: null }];

  test("a Mac's volume has the facts of the drive below its container", () => {
    expect(findAttachedDevice('/dev/disk3s5', macVolumes, macDrives).disk).toEqual({
      name: 'disk3s5',
      diskstatsName: 'disk0',
      model: APPLE,
      rotational: false,
      scheduler: null,
      logicalBlockBytes: null,
      physicalBlockBytes: null,
      sizeBytes: 494_384_795_648,
      encryption: null,
      transport: null,
      link: null,
    });
  });

  test.each([
    ['HD', true],
    ['SSD', false],
    ['SCM', false],
    ['Unspecified', null],
  ])('a drive letter has the facts of its drive: %s', (type, rotational) => {
    const device = '\\\\.\\PHYSICALDRIVE0';
    const volumes = [{ name: 'C:', size: '254721126400', model: '', device }];
    const drives = [{ device, type, name: 'WDC WD10EZEX', bytesPerSector: 512 }];
    expect(findAttachedDevice('C:', volumes, drives).disk).toMatchObject({
      name: 'C:',
      diskstatsName: device,
      model: 'WDC WD10EZEX',
      rotational,
      logicalBlockBytes: 512,
      sizeBytes: 254_721_126_400,
    });
  });

  test.each([
    ['Network', { ...NOTHING, isRemote: true }],
    ['RAM', { ...NOTHING, isMemory: true }],
  ])('a drive letter of Windows with the kind %s has no disk', (physical, attached) => {
    const volumes = [{ name: 'Z:', size: '254721126400', model: '', device: '', physical }];
    expect(findAttachedDevice('Z:', volumes, [])).toEqual(attached);
  });
});
