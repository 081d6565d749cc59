import { readFileSync } from 'node:fs';
import { fieldsOf } from '../../scratch/owner.js';

/** In /proc/PID/stat, counted from the state, which is the first field behind the name. */
const GROUP_FIELD = 2;
const FOREGROUND_FIELD = 5;

/** Whether the terminal is this process's to draw on. It is another's while this one is in the background (`&`, `bg`). */
export function isInForeground(): boolean {
  try {
    return parseForeground(readFileSync('/proc/self/stat', 'latin1'));
  } catch {
    // Only Linux tells.
    return true;
  }
}

/** The line of /proc/PID/stat: `12830 (sleep) S 12823 12830 12823 34816 12830 …`. Without a terminal the last is -1. */
export function parseForeground(text: string): boolean {
  const fields = fieldsOf(text).map(Number);
  const [group = 0, foreground = 0] = [fields[GROUP_FIELD], fields[FOREGROUND_FIELD]];
  return foreground <= 0 || foreground === group;
}
