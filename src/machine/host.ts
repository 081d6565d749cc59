import { readFile } from 'node:fs/promises';
import os from 'node:os';
import { RUNTIME } from '../runtime.js';
import { readCpuQuota } from './control-groups.js';
import type { Host } from './machine-schema.js';

export async function inspectHost(): Promise<Host> {
  const processors = os.availableParallelism();
  return {
    hostname: os.hostname(),
    platform: process.platform,
    os: `${os.type()} ${os.release()}`,
    arch: process.arch,
    nodeVersion: process.versions.bun === undefined ? process.version : RUNTIME,
    cpuModel: os.cpus()[0]?.model.trim() || 'unknown',
    cores: usableCores(processors, await readCpuQuota()),
    processors,
    memoryBytes: os.totalmem(),
    memoryLimitBytes: memoryLimit(os.totalmem(), process.constrainedMemory()),
    pageBytes: parsePageBytes(await readFile('/proc/self/auxv').catch(() => Buffer.of()), process),
    isRoot: process.geteuid?.() === 0,
  };
}

export function usableCores(processors: number, quota: number | null): number {
  return Math.min(processors, Math.ceil(quota ?? processors));
}

/** Without a limit, `constrainedMemory` returns 0, undefined, or a number larger than any memory. */
export function memoryLimit(memoryBytes: number, constrainedBytes: number | undefined): number {
  return constrainedBytes && constrainedBytes < memoryBytes ? constrainedBytes : memoryBytes;
}

const USUAL_PAGE_BYTES = 4096;
const MAC_PAGE_BYTES = 16_384;
/** The type of the entry with the page size. */
const AT_PAGESZ = 6n;
const ENTRY_BYTES = 16;

/** /proc/self/auxv consists of pairs of a type and a value, each the size of a pointer. */
export function parsePageBytes(auxv: Buffer, host: Pick<Host, 'platform' | 'arch'>): number {
  for (let at = 0; at + ENTRY_BYTES <= auxv.length; at += ENTRY_BYTES)
    if (auxv.readBigUInt64LE(at) === AT_PAGESZ) return Number(auxv.readBigUInt64LE(at + ENTRY_BYTES / 2));
  return host.platform === 'darwin' && host.arch === 'arm64' ? MAC_PAGE_BYTES : USUAL_PAGE_BYTES;
}
