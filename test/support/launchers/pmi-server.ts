import type { Socket } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { makeDirectory } from '../disks/directory.js';
import { type Answer, connections, type Dialect, type Launcher, startLauncher } from './pmi-launcher.js';

export { DIALECTS } from './pmi-launcher.js';

interface Server extends Pick<Launcher, 'longest'> {
  /** A connection for each rank. */
  readonly sockets: readonly Socket[];
  /** What all can get. */
  readonly store: Map<string, string>;
}

/** A launcher for one test, and connections to it. */
export async function pmiServer(size: number, dialect: Dialect, answer?: Answer): Promise<Server> {
  const store = new Map<string, string>();
  const place = path.join(makeDirectory(), 'pmi');
  const { longest, close } = await startLauncher(place, size, dialect, store, answer);
  const sockets = await connections(place, size);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    close();
  });
  return { sockets, store, longest };
}
