import { expect, test } from 'vitest';
import { readBlockDevice } from '../../src/machine/block-device.js';
import { makeSysfs } from '../support/disks/sysfs.js';

const NVME = 'pci0000:00/0000:00:1d.0/0000:3d:00.0';
const NVME_LINK = { current_link_speed: '16.0 GT/s PCIe', current_link_width: '4' };
const SATA = 'pci0000:00/0000:00:1f.2/ata3';
const USB = 'pci0000:00/0000:00:14.0/usb2/2-1';
const DISK = { dev: '8:0' };
const PCIE_4_X4 = { megabitsPerSecond: 16_000, lanes: 4 };

type Devices = Parameters<typeof makeSysfs>[0];

test.each<[string, Devices, string | null, object | null]>([
  ['an NVMe SSD', { [NVME]: NVME_LINK, [`${NVME}/nvme/nvme0/nvme0n1`]: DISK }, 'nvme', PCIE_4_X4],
  [
    'an NVMe SSD whose link is unknown',
    {
      [NVME]: { current_link_speed: 'Unknown', current_link_width: '0' },
      [`${NVME}/nvme/nvme0/nvme0n1`]: DISK,
    },
    'nvme',
    null,
  ],
  [
    'an NVMe SSD in a subsystem with one controller',
    {
      [NVME]: NVME_LINK,
      [`${NVME}/nvme/nvme4`]: { transport: 'pcie' },
      'virtual/nvme-subsystem/nvme-subsys4': { nvme4: `${NVME}/nvme/nvme4` },
      'virtual/nvme-subsystem/nvme-subsys4/nvme4n1': DISK,
    },
    'nvme',
    PCIE_4_X4,
  ],
  [
    'an NVMe namespace of another machine',
    {
      'virtual/nvme-fabrics/ctl/nvme1': { transport: 'tcp' },
      'virtual/nvme-fabrics/ctl/nvme1/nvme1n1': DISK,
    },
    'network',
    null,
  ],
  [
    'a SATA disk',
    {
      [`${SATA}/link3/ata_link/link3`]: { sata_spd: '6.0 Gbps' },
      [`${SATA}/host2/target2:0:0/block/sda`]: DISK,
    },
    'sata',
    { megabitsPerSecond: 6000, lanes: 1 },
  ],
  [
    'a parallel ATA disk',
    { [`${SATA}/link3/ata_link/link3`]: { sata_spd: '<unknown>' }, [`${SATA}/host2/block/sda`]: DISK },
    null,
    null,
  ],
  [
    'a USB disk behind a hub',
    {
      [USB]: { speed: '5000' },
      [`${USB}/2-1.4`]: { speed: '480' },
      [`${USB}/2-1.4/2-1.4:1.0/host6/sdb`]: DISK,
    },
    'usb',
    { megabitsPerSecond: 480, lanes: 1 },
  ],
  ['a virtio disk', { 'pci0000:00/0000:00:02.0/virtio1/block/vda': DISK }, 'virtio', null],
  ['a disk of Xen', { 'vbd-51712/block/xvda': DISK }, 'xen', null],
  ['a disk of Hyper-V', { 'ACPI0004:00/VMBUS:00/f8b3781a/host0/block/sda': DISK }, 'vmbus', null],
  ['an SD card', { 'platform/soc/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0': DISK }, 'mmc', null],
  ['an iSCSI disk', { 'platform/host3/session1/target3:0:0/block/sdc': DISK }, 'network', null],
  ['a Ceph device', { 'rbd/0/block/rbd0': DISK }, 'network', null],
  ['a disk of a RAID controller', { 'pci0000:00/0000:03:00.0/host0/block/sda': DISK }, null, null],
])('/sys shows how %s is attached', async (_, devices, transport, link) => {
  expect((await readBlockDevice('8:0', '', makeSysfs(devices)))?.disk).toMatchObject({ transport, link });
});

test.each([
  ['of two mappings on partitions of one disk', 'virtual/dm-1', 'usb'],
  ['of two disks', 'pci1/virtio1/vda', null],
])('a logical volume %s is attached as its only disk, or unknown', async (_, second, transport) => {
  const sysfs = makeSysfs({
    'virtual/dm-2': { dev: '252:2', 'slaves/dm-0': 'virtual/dm-0', 'slaves/second': second },
    'virtual/dm-0': { dev: '252:0', 'slaves/sda1': `${USB}/host0/sda/sda1` },
    'virtual/dm-1': { dev: '252:1', 'slaves/sda2': `${USB}/host0/sda/sda2` },
    [`${USB}/host0/sda`]: DISK,
    [`${USB}/host0/sda/sda1`]: { dev: '8:1', partition: '1' },
    [`${USB}/host0/sda/sda2`]: { dev: '8:2', partition: '2' },
    'pci1/virtio1/vda': { dev: '254:0' },
  });
  expect((await readBlockDevice('252:2', '', sysfs))?.disk).toMatchObject({ transport });
});
