import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { WorkerReply, WorkerSetup } from '../../../workers/protocol.js';
import { GobonnieError } from '../../errors.js';
import { findSystemError, isSystemError, systemHint, systemReason } from '../../system-error.js';

/** The built worker, whether this file runs from src or from dist: a thread cannot load TypeScript. */
const WORKER_FILE = createRequire(import.meta.url).resolve('#worker');
/**
 * A worker's loop makes almost no garbage. Before the clock starts, a worker builds the path of every file of its tree,
 * possibly of millions. A high limit of the old generation takes no memory.
 */
const LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 65_536, stackSizeMb: 1 };

export function spawnWorker(setup: WorkerSetup): Worker {
  try {
    return new Worker(WORKER_FILE, { workerData: setup, execArgv: [], env: {}, resourceLimits: LIMITS });
  } catch (error) {
    throw threadFailure(error as Error);
  }
}

/** Resolves to a worker's next message. Rejects if the worker dies first. */
export function nextReply(worker: Worker): Promise<WorkerReply> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      finish();
    };
    const onMessage = (message: WorkerReply) => settle(() => resolve(message));
    const onError = (error: Error) => settle(() => reject(threadFailure(error)));
    const onExit = (code: number) =>
      settle(() => reject(threadFailure(new Error(`it exited with code ${code}`))));
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

/** If the system cannot start a thread, only Node's message has the code: `Worker initialization failure: EMFILE`. */
function threadFailure(cause: Error): GobonnieError {
  const namedError = findSystemError(/\bE[A-Z]+$/.exec(cause.message)?.[0] ?? '');
  const systemError = namedError ?? (isSystemError(cause) ? cause : null);
  return new GobonnieError(
    'threads-failed',
    `could not start a worker thread: ${systemReason(systemError ?? cause)}`,
    systemError
      ? systemHint(systemError)
      : 'pass fewer --threads, or raise the limits on processes, open files and memory',
    { cause },
  );
}
