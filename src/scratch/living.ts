import { readFileSync, readlinkSync } from 'node:fs';
import os from 'node:os';

/** One process, told from a later one that was given the same number. */
export interface Life {
  readonly pid: number;
  /** When it began, in the kernel's words. Empty where the system does not tell. */
  readonly birth: string;
}

/** In /proc/PID/stat, counted from the state, which is the first field behind the name. */
const BIRTH_FIELD = 19;
/** A zombie waits for its parent to ask after it, and does nothing more itself. */
const DEAD_STATES = ['Z', 'X', 'x'];

export function ownLife(): Life {
  return { pid: process.pid, birth: birthOf('self') ?? '' };
}

export function isLiving({ pid, birth }: Life): boolean {
  const found = birth === '' || !isProcOurs() ? undefined : birthOf(pid);
  // What /proc does not show (hidepid) may be there all the same.
  return found === undefined ? isKnown(pid) : found === birth;
}

/** The line of /proc/PID/stat: `12830 (sleep) S 12823 12791 …`. Null when that process is dead already. */
export function parseBirth(text: string): string | null {
  const [state = '', ...fields] = fieldsOf(text);
  return DEAD_STATES.includes(state) ? null : (fields[BIRTH_FIELD - 1] ?? null);
}

/** What stands behind the name, from the state on: the name is the program's own choice, and may look like all of it. */
export function fieldsOf(text: string): readonly string[] {
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** A container may see the /proc of the machine, in which the numbers are those of other processes. */
function isProcOurs(): boolean {
  try {
    return readlinkSync('/proc/self') === String(process.pid);
  } catch {
    return false;
  }
}

/** Undefined where it cannot be read. */
function birthOf(pid: number | 'self'): string | null | undefined {
  try {
    return parseBirth(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** Asking for its priority sends it nothing, on any system. */
function isKnown(pid: number): boolean {
  try {
    os.getPriority(pid);
    return true;
  } catch (error) {
    return (error as { info?: NodeJS.ErrnoException }).info?.code !== 'ESRCH';
  }
}
