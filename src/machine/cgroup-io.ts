import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readStack } from './block-device.js';
import { CGROUP_FS, pathWithParents } from './cpu-quota.js';
import type { IoLimit } from './machine-schema.js';

/** Version 1 has a file for each kind of limit. Version 2 has all in `io.max`, with these keys. */
const KINDS: Readonly<Record<string, Pick<IoLimit, 'direction' | 'unit'>>> = {
  riops: { direction: 'read', unit: 'operations' },
  wiops: { direction: 'write', unit: 'operations' },
  rbps: { direction: 'read', unit: 'bytes' },
  wbps: { direction: 'write', unit: 'bytes' },
  'blkio.throttle.read_iops_device': { direction: 'read', unit: 'operations' },
  'blkio.throttle.write_iops_device': { direction: 'write', unit: 'operations' },
  'blkio.throttle.read_bps_device': { direction: 'read', unit: 'bytes' },
  'blkio.throttle.write_bps_device': { direction: 'write', unit: 'bytes' },
};
const V1_FILES = Object.keys(KINDS).filter((name) => name.startsWith('blkio.'));

/** Returns the limits of this process's control groups for a device, named by number or file, and for devices below it. */
export async function readIoLimits(
  deviceNumber: string,
  file: string,
  root = '/',
): Promise<readonly IoLimit[]> {
  const stack = await readStack(deviceNumber, file, path.join(root, 'sys'));
  const devices = stack?.deviceNumbers ?? [deviceNumber];
  const limits: IoLimit[] = [];
  for (const line of ((await readText(path.join(root, 'proc/self/cgroup'))) ?? '').split('\n')) {
    const [, controllers, group] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || group === undefined) continue;
    const isV1 = controllers.split(',').includes('blkio');
    if (controllers !== '' && !isV1) continue;
    for (const ownOrParent of pathWithParents(group)) {
      const files = (isV1 ? V1_FILES : ['io.max']).map((name) =>
        path.join(CGROUP_FS, controllers, ownOrParent, name),
      );
      const texts = await Promise.all(files.map((name) => readText(path.join(root, name))));
      limits.push(...files.flatMap((name, at) => parseLimits(name, texts[at] ?? '', devices)));
      // In version 1 only a process's own group counts. A container sees it as `/`.
      if (isV1 && texts.some((text) => text !== null)) break;
    }
  }
  return limits;
}

/** Parses lines such as `8:0 rbps=max riops=100` or, in version 1, `8:0 100`. */
function parseLimits(file: string, text: string, devices: readonly string[]): readonly IoLimit[] {
  return text.split('\n').flatMap((line) => {
    const [device = '', ...settings] = line.split(' ');
    if (!devices.includes(device)) return [];
    return settings.flatMap((setting) => {
      const [, key = path.basename(file), value = ''] = /^(?:(\w+)=)?(.*)$/.exec(setting) ?? [];
      const kind = KINDS[key];
      const perSecond = Number(value);
      return kind && perSecond > 0 ? [{ ...kind, perSecond, file }] : [];
    });
  });
}

function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(() => null);
}
