import { readFileSync } from 'node:fs';

/** State, parent and what follows in the kernel's account of a thread, or of a process; nothing where it is gone. */
export function statOf(pid: number, tid: number | string = pid): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${tid}/stat`, 'latin1');
    // Before it stands the program's name, in parentheses.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

export function isStopped(pid: number, tid: number | string = pid): boolean {
  return statOf(pid, tid)[0] === 'T';
}
