import { readFileSync } from 'node:fs';

/** The fields of /proc/PID/stat from the state on, of a thread or a process; empty once it is gone. */
export function readProcessStat(pid: number, tid: number | string = pid): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'latin1');
    // The program's name comes before, in parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

export function isStopped(pid: number, tid: number | string = pid): boolean {
  return readProcessStat(pid, tid)[0] === 'T';
}
