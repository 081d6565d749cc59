/** Returns the fields of /proc/PID/stat from the state on. The program's name before them may contain anything, even brackets. */
export function statFields(stat: string): readonly string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
