import { readFileSync } from 'node:fs';

/** Returns the fields of /proc/PID/stat from the state on, for a process or a thread; empty if it does not exist. */
export function readProcessStat(pid: number, tid: number | string = pid): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'latin1');
    // Skips the program's name, which is in parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

export function isStopped(pid: number, tid: number | string = pid): boolean {
  return readProcessStat(pid, tid)[0] === 'T';
}
