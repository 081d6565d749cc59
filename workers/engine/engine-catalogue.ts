import type { EngineName } from '../protocol.js';
import { type Engine, type Request, ThreadsEngine } from './engine.js';
import { UringEngine } from './uring-engine.js';

interface EngineRow {
  /** How it makes requests, in the help. */
  readonly help: string;
  /** Opens it for as many requests as the plan keeps in flight, whose memory is part of the I/O memory. */
  readonly open: <Type extends Request>(
    requests: readonly [Type, ...Type[]],
    ioMemory: ArrayBufferLike,
  ) => Engine<Type>;
}

export const engines: Readonly<Record<EngineName, EngineRow>> = {
  uring: {
    help: 'io_uring on Linux, with Node 26.9 or newer',
    open: (requests, ioMemory) => new UringEngine(requests, ioMemory),
  },
  threads: {
    help: 'each waits for one request',
    open: ([request]) => new ThreadsEngine(request),
  },
};

export const ENGINE_NAMES = Object.keys(engines) as readonly EngineName[];
