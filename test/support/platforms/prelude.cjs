/**
 * Simulates Node's API of another system. It is inserted at the start of each program in a copy of gobonnie, after the
 * definition of SYSTEM.
 */
const Module = require('node:module');
const { platform, arch, type, lacks, constants } = SYSTEM;

Object.defineProperty(process, 'platform', { value: platform });
Object.defineProperty(process, 'arch', { value: arch });
for (const call of lacks) delete process[call];

const fs = require('node:fs');
const os = require('node:os');
const presentConstants = Object.fromEntries(
  Object.entries(fs.constants).filter(([name]) => !constants.missing.includes(name)),
);
const isDirectory = (fd) => fs.fstatSync(fd).isDirectory();
const denied = () =>
  Object.assign(new Error('EPERM: operation not permitted, fsync'), { code: 'EPERM', errno: -1 });

/** On Windows, syncing a directory fails. */
const syncing = (sync) => (fd) => {
  if (platform === 'win32' && isDirectory(fd)) throw denied();
  return sync(fd);
};

/** On macOS, a raw disk is a character device, and only whole sectors can be read. Here it is a block device. */
const isRawDisk = (file) =>
  platform === 'darwin' && /^\/dev\/rdisk\d+$/.test(fs.realpathSync.native(String(file)));
const asCharacterDevice = (stats) =>
  Object.assign(stats, { isBlockDevice: () => false, isCharacterDevice: () => true });
const inSectors = (read) => async (memory, at, length, position) => {
  if (position % 512 || length % 512) throw Object.assign(new Error('EINVAL: read'), { code: 'EINVAL' });
  return read(memory, at, length, position);
};
const stat = async (file, ...rest) => {
  const stats = await fs.promises.stat(file, ...rest);
  return isRawDisk(file) ? asCharacterDevice(stats) : stats;
};
const open = async (...args) => {
  const handle = await fs.promises.open(...args);
  if (isRawDisk(args[0])) {
    const read = handle.read.bind(handle);
    const describe = handle.stat.bind(handle);
    handle.read = inSectors(read);
    handle.stat = async () => asCharacterDevice(await describe());
  }
  for (const name of ['sync', 'datasync']) {
    const sync = handle[name].bind(handle);
    handle[name] = async () => syncing(sync)(handle.fd);
  }
  return handle;
};
const promises = { ...fs.promises, open, stat, constants: presentConstants };
const replaced = {
  fs: {
    ...fs,
    constants: presentConstants,
    promises,
    fsyncSync: syncing(fs.fsyncSync),
    fdatasyncSync: syncing(fs.fdatasyncSync),
  },
  'fs/promises': promises,
  os: { ...os, type: () => type, platform: () => platform },
};
const load = Module._load;
Module._load = (name, ...rest) => replaced[name.replace(/^node:/, '')] ?? load(name, ...rest);
