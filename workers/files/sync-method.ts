import { constants, fdatasyncSync, fsyncSync } from 'node:fs';
import type { SyncMethod } from '../protocol.js';

const OPEN_FLAGS: Partial<Record<SyncMethod, number>> = {
  o_dsync: constants.O_DSYNC,
  o_sync: constants.O_SYNC,
};

/** Returns the flags of `open` that make every write wait for the device. 0 if a call does that. */
export function syncOpenFlags(method: SyncMethod | null): number {
  return (method && OPEN_FLAGS[method]) ?? 0;
}

/** Returns the call to make after every write. Null if there is none. */
export function syncCall(method: SyncMethod | null): ((fd: number) => void) | null {
  if (method === 'fsync') return fsyncSync;
  return method === 'fdatasync' ? fdatasyncSync : null;
}
