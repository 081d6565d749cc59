import { readFileSync } from 'node:fs';
import { rejectRoot, switchUser } from '../../../src/cli/compat/run-as-user.js';
import type { GobonnieError } from '../../../src/errors.js';

/** Returns the supplementary groups from the kernel, because Node would add the process's own group. */
function readGroups(): string {
  return /^Groups:[ \t]*(.*?)[ \t]*$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
}

/** Switches to the user of the arguments, then prints the four ids and the groups, or the line of the error. */
const [call, user, group] = process.argv.slice(2);
const requested = { user: user || undefined, group: group || undefined };
try {
  if (call === 'reject-root') rejectRoot('bonnie++', requested);
  else switchUser(requested);
  const ids = [process.getuid?.(), process.geteuid?.(), process.getgid?.(), process.getegid?.()];
  process.stdout.write(`${ids.join(' ')} (${readGroups()})`);
} catch (error) {
  process.stdout.write((error as GobonnieError).line);
}
