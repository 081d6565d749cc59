/** The entry of the process that removes what another has left: see run/watcher.ts. */
import { lstat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { removeAbandoned } from './leftovers.js';
import { Hold } from './safe-path/directory-handle.js';
import { isOwn } from './safe-path/own-file.js';
import type { Order } from './watcher.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

// It ends when what it watches has ended, and not before.
for (const name of SIGNALS) process.on(name, () => {});

void watch();

async function watch(): Promise<void> {
  const orders = (await text(process.stdin))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Order);
  if (orders.some((order) => 'done' in order)) return;
  // It has nobody to tell what fails; the next run finds what is left then, and says so.
  for (const order of orders) await carryOut(order).catch(() => {});
}

async function carryOut(order: Order): Promise<void> {
  if ('temporary' in order) await removeOwn(order.temporary);
  if ('directory' in order) await removeAbandoned(order);
}

async function removeOwn(file: string): Promise<void> {
  const directory = await Hold.reach(path.dirname(file));
  try {
    const place = path.join(directory.root, path.basename(file));
    const found = await lstat(place);
    if (found.isFile() && isOwn(found)) await unlink(place);
  } finally {
    await directory.release();
  }
}
