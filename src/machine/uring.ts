import { openRing } from '../../workers/engine/ring.js';
import { hasCode, systemReason } from '../system-error.js';

/** Earlier versions of node:ffi have errors in calls and buffers. */
const MIN_MINOR = 9;
const MIN_MAJOR = 26;

/** Returns why this process cannot use io_uring. Null if it can. */
export function findUringProblem(): string | null {
  if (process.platform !== 'linux') return 'only Linux has it';
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < MIN_MAJOR || (major === MIN_MAJOR && minor < MIN_MINOR))
    return `it needs Node ${MIN_MAJOR}.${MIN_MINOR} or newer, and this is Node ${process.versions.node}`;
  try {
    openRing(1).close();
    return null;
  } catch (error) {
    if (hasCode(error, 'ERR_ACCESS_DENIED')) return 'Node runs with --permission and without --allow-ffi';
    const remedy = hasCode(error, 'EPERM')
      ? ': kernel.io_uring_disabled or the profile of a container forbids it'
      : '';
    return `${systemReason(error)}${remedy}`;
  }
}
