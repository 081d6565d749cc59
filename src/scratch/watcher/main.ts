/** The entry point of the process that removes the files of a killed run: see watcher.ts. */
import { lstat, unlink } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { removeDeadRun } from '../leftovers.js';
import { isOwnedByUs } from '../own-files.js';
import { removeControlGroup } from '../processes.js';
import type { WatcherMessage } from './watcher.js';

// The watcher has to outlive the process that it watches.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});

void watch();

async function watch(): Promise<void> {
  const lines = (await text(process.stdin)).split('\n').slice(0, -1);
  const messages = lines.map((line) => JSON.parse(line) as WatcherMessage);
  if (messages.some((message) => 'done' in message)) return;
  // A failure cannot be reported; the next run or gobonnie clean finds the remaining files.
  for (const message of messages) await cleanUp(message).catch(() => {});
}

async function cleanUp(message: WatcherMessage): Promise<void> {
  if ('controlGroup' in message) await removeControlGroup(message.controlGroup);
  if ('temporary' in message) await removeOwnFile(message.temporary);
  if ('directory' in message) await removeDeadRun(message);
}

async function removeOwnFile(file: string): Promise<void> {
  const stats = await lstat(file);
  if (stats.isFile() && isOwnedByUs(stats)) await unlink(file);
}
