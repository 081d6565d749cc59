/** Simulates Node's API of macOS. It is inserted at the start of each program in a copy of gobonnie. */
const Module = require('node:module');

Object.defineProperty(process, 'platform', { value: 'darwin' });
Object.defineProperty(process, 'arch', { value: 'arm64' });

const fs = require('node:fs');
const os = require('node:os');
const { O_DIRECT, O_NOATIME, ...constants } = fs.constants;

/** A raw disk is a character device, and only whole sectors can be read. Here it is a block device. */
const isRawDisk = (file) => /^\/dev\/rdisk\d+$/.test(fs.realpathSync.native(String(file)));
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
  return handle;
};
const promises = { ...fs.promises, open, stat, constants };
const replaced = {
  fs: { ...fs, constants, promises },
  'fs/promises': promises,
  os: { ...os, type: () => 'Darwin', platform: () => 'darwin' },
};
const load = Module._load;
Module._load = (name, ...rest) => replaced[name.replace(/^node:/, '')] ?? load(name, ...rest);
