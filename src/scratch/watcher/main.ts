/** The entry point of the process that removes what a killed run leaves: see watcher.ts. */
import { lstat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { removeAbandoned } from '../leftovers.js';
import { DirectoryHandle } from '../safe-path/directory-handle.js';
import { isOwn } from '../safe-path/trust.js';
import { closeInherited } from './inherited.js';
import type { Order } from './watcher.js';

// It has to outlive the process that it watches.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});

closeInherited();
void watch();

async function watch(): Promise<void> {
  const lines = (await text(process.stdin)).split('\n').slice(0, -1);
  const orders = lines.map((line) => JSON.parse(line) as Order);
  if (orders.some((order) => 'done' in order)) return;
  const last = new Map(orders.map((order) => ['directory' in order ? order.directory : order, order]));
  // A failure cannot be reported; the next run or gobonnie clean finds what is left.
  for (const order of last.values()) await carryOut(order).catch(() => {});
}

async function carryOut(order: Order): Promise<void> {
  if ('temporary' in order) await removeOwn(order.temporary);
  if ('directory' in order) await removeAbandoned(order);
}

async function removeOwn(file: string): Promise<void> {
  const directory = await DirectoryHandle.open(path.dirname(file));
  await directory.use(async () => {
    const place = path.join(directory.root, path.basename(file));
    const found = await lstat(place);
    if (found.isFile() && isOwn(found)) await unlink(place);
  });
}
