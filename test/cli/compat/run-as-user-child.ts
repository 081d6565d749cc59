import { readFileSync } from 'node:fs';
import { runAsUser } from '../../../src/cli/compat/run-as-user.js';
import type { GobonnieError } from '../../../src/errors.js';

/** Returns the supplementary groups from the kernel, because Node would add the process's own group. */
function readGroups(): string {
  return /^Groups:[ \t]*(.*?)[ \t]*$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
}

/** The values of -u and -g, with which the process calls `runAsUser` one after the other. */
const calls: readonly { user?: string; group?: string }[] = JSON.parse(process.argv[2] ?? '');
const errors: string[] = [];
for (const { user, group } of calls) {
  try {
    runAsUser({ user, group });
  } catch (error) {
    errors.push((error as GobonnieError).line);
  }
}
const ids = [process.getuid?.(), process.geteuid?.(), process.getgid?.(), process.getegid?.()];
process.stdout.write(JSON.stringify({ errors, ids: `${ids.join(' ')} (${readGroups()})` }));
