import path from 'node:path';
import { readStack } from './block-device.js';
import { readGroupHierarchies } from './control-groups.js';
import type { IoLimit } from './machine-schema.js';
import { readAttribute } from './sysfs-attribute.js';

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

/** A file of limits, and its text. */
interface LimitFile {
  readonly file: string;
  readonly text: string;
}

/** Returns the limits of this process's control groups for a device, named by number or file, and for devices below it. */
export async function readIoLimits(
  deviceNumber: string,
  file: string,
  root = '/',
): Promise<readonly IoLimit[]> {
  const limitFiles = await readLimitFiles(root);
  // Most systems have no limit, and then the devices do not matter.
  if (limitFiles.length === 0) return [];
  const stack = await readStack(deviceNumber, file, path.join(root, 'sys'));
  const devices = stack?.deviceNumbers ?? [deviceNumber];
  return limitFiles.flatMap((one) => parseLimits(one, devices));
}

/** Returns the files that have any limit. */
async function readLimitFiles(root: string): Promise<readonly LimitFile[]> {
  const found: LimitFile[] = [];
  for (const { isV1, directories } of await readGroupHierarchies('blkio', root)) {
    for (const directory of directories) {
      const files = (isV1 ? V1_FILES : ['io.max']).map((name) => path.join(directory, name));
      const texts = await Promise.all(files.map((name) => readAttribute(path.join(root, name))));
      found.push(...files.flatMap((name, at) => (texts[at] ? [{ file: name, text: texts[at] }] : [])));
      // In version 1 only a process's own group counts. A container sees it as `/`.
      if (isV1 && texts.some((text) => text !== null)) break;
    }
  }
  return found;
}

/** Parses lines such as `8:0 rbps=max riops=100` or, in version 1, `8:0 100`. */
function parseLimits({ file, text }: LimitFile, devices: readonly string[]): readonly IoLimit[] {
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
