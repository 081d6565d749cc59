import type { Socket } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { joinPmi } from '../../../src/hosts/launcher.js';
import { makeDirectory } from '../disks/directory.js';
import {
  connectAll,
  type Dialect,
  type PmiLauncher,
  type ReplyOverride,
  startPmiLauncher,
} from './pmi-launcher.js';

export { DIALECTS } from './pmi-launcher.js';

/** Joins the job of all ranks. */
export function joinAll(sockets: readonly Socket[]) {
  return Promise.all(sockets.map((socket, rank) => joinPmi(socket, rank, sockets.length)));
}

interface PmiServer extends Pick<PmiLauncher, 'longestLine'> {
  /** One connection per rank. */
  readonly sockets: readonly Socket[];
  /** The published values. */
  readonly store: Map<string, string>;
}

/** Starts a launcher for one test, and connects to it. */
export async function startPmiServer(
  size: number,
  dialect: Dialect,
  overrideReply?: ReplyOverride,
): Promise<PmiServer> {
  const store = new Map<string, string>();
  const socketPath = path.join(makeDirectory(), 'pmi');
  const { longestLine, close } = await startPmiLauncher(socketPath, size, dialect, store, overrideReply);
  const sockets = await connectAll(socketPath, size);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    close();
  });
  return { sockets, store, longestLine };
}
