import { readFileSync } from 'node:fs';
import { runAsUser } from '../../../src/cli/compat/run-as-user.js';
import type { GobonnieError } from '../../../src/errors.js';

/** Returns the supplementary groups from the kernel, because Node would add the process's own group. */
function readGroups(): string {
  return /^Groups:[ \t]*(.*?)[ \t]*$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
}

/** Runs as the user of the arguments, and prints the four ids and the groups, after the line of an error. */
const [user = '-', group = '-', ...more] = process.argv.slice(2);
if (more.includes('windows')) Object.assign(process, { setuid: undefined, geteuid: undefined });
try {
  runAsUser({
    user: user === '-' ? undefined : user,
    group: group === '-' ? undefined : group,
  });
} catch (error) {
  process.stdout.write(`${(error as GobonnieError).line}\n`);
}
const ids = [process.getuid?.(), process.geteuid?.() ?? 0, process.getgid?.(), process.getegid?.()];
process.stdout.write(`${ids.join(' ')} (${readGroups()})`);
