import { openRing, type Ring } from '../../workers/engine/ring.js';
import { RUNTIME } from '../runtime.js';
import { hasCode, systemReason } from '../system-error.js';

/** Earlier versions of node:ffi have errors in calls and buffers. */
const MIN_MINOR = 9;
const MIN_MAJOR = 26;

/** Without threads, it has as many as there are CPU cores. */
export type Load = Readonly<{ depth: number; threads?: number | undefined }>;

/** Returns why this process cannot have the queues of io_uring that these loads need. Null if it can. */
export function findUringProblem(loads: readonly Load[] = [{ depth: 1 }], cores = 1): string | null {
  if (process.platform !== 'linux') return 'only Linux has it';
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < MIN_MAJOR || (major === MIN_MAJOR && minor < MIN_MINOR))
    return `it needs Node ${MIN_MAJOR}.${MIN_MINOR} or newer, and this is ${RUNTIME}`;
  const depth = Math.max(...loads.map((load) => load.depth));
  const queues = Math.max(...loads.map(({ threads = cores }) => threads));
  const rings: Ring[] = [];
  try {
    while (rings.length < queues) rings.push(openRing(depth));
    return null;
  } catch (error) {
    if (hasCode(error, 'ERR_ACCESS_DENIED')) return 'Node runs with --permission and without --allow-ffi';
    if (hasCode(error, 'EPERM'))
      return `${systemReason(error)}: kernel.io_uring_disabled or the profile of a container forbids it`;
    const isLimited = hasCode(error, 'ENOMEM');
    return `${systemReason(error)}${isLimited ? ': the limit of locked memory, `ulimit -l`, may be too low' : ''}`;
  } finally {
    for (const ring of rings) ring.close();
  }
}
