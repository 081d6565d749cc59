import { MIB } from '../text/units.js';

interface PublishedLimit {
  readonly volume: string;
  readonly unit: 'operations' | 'bytes';
  readonly perSecond: number;
  /** True if it does not apply to writes. */
  readonly readsOnly?: boolean;
}

/** Azure's premium disks: name, maximum size in GiB, operations and MiB per second. */
const AZURE_DISKS = [
  ['P4', 32, 120, 25],
  ['P6', 64, 240, 50],
  ['P10', 128, 500, 100],
  ['P15', 256, 1100, 125],
  ['P20', 512, 2300, 150],
  ['P30', 1024, 5000, 200],
] as const;

/** Google's zonal disks: name, reads per second and GiB, MiB per second and GiB. */
const GOOGLE_DISKS = [
  ['pd-standard', 0.75, 0.12],
  ['pd-balanced', 6, 0.28],
  ['pd-ssd', 30, 0.48],
] as const;

/** Returns the published limits of volumes with this device model and size. Empty for other devices. */
export function publishedLimits(model: string, gib: number): readonly PublishedLimit[] {
  if (model.startsWith('Amazon Elastic Block Store'))
    return [
      { volume: 'AWS gp3, or gp2 in a burst', unit: 'operations', perSecond: 3000 },
      { volume: 'AWS gp3', unit: 'bytes', perSecond: 125 * MIB },
      { volume: 'AWS gp2', unit: 'operations', perSecond: Math.min(16_000, Math.max(100, 3 * gib)) },
    ];
  if (/^(PersistentDisk|nvme_card-pd)/.test(model))
    return GOOGLE_DISKS.flatMap(([name, reads, mib]) => [
      { volume: `Google ${name}`, unit: 'operations', perSecond: reads * gib, readsOnly: true },
      { volume: `Google ${name}`, unit: 'bytes', perSecond: mib * MIB * gib },
    ]);
  // A VMware disk has the model "Virtual disk".
  const disks = model.startsWith('Virtual Disk') ? AZURE_DISKS : [];
  const [name, , operations, mib] = disks.find(([, maxGib]) => gib <= maxGib) ?? [];
  if (name === undefined) return [];
  return [
    { volume: `Azure ${name}`, unit: 'operations', perSecond: operations },
    { volume: `Azure ${name}`, unit: 'bytes', perSecond: mib * MIB },
  ];
}
