import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory } from './directory.js';

/**
 * Creates a sysfs with these devices: their attributes, their links to slaves and NVMe
 * controllers, and the links to them by number and by name.
 */
export function makeSysfs(devices: Readonly<Record<string, Readonly<Record<string, string>>>>): string {
  const sysfs = makeDirectory();
  for (const folder of ['dev/block', 'class/block']) mkdirSync(path.join(sysfs, folder), { recursive: true });
  for (const [device, facts] of Object.entries(devices)) {
    const directory = path.join(sysfs, 'devices', device);
    for (const [name, fact] of Object.entries(facts)) {
      const file = path.join(directory, name);
      mkdirSync(path.dirname(file), { recursive: true });
      if (/^slaves\/|^nvme\d+$/.test(name)) symlinkSync(path.join(sysfs, 'devices', fact), file);
      else writeFileSync(file, `${fact}\n`);
    }
    if (facts.dev) symlinkSync(directory, path.join(sysfs, 'dev/block', facts.dev));
    symlinkSync(directory, path.join(sysfs, 'class/block', path.basename(device)));
  }
  return sysfs;
}
