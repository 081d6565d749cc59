import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory } from '../disks/directory.js';
import { ENTRY } from './program.js';

/** Returns a PATH with `gobonnie`, the built program, and programs that run the given shell commands. */
export function createPath(commands: Readonly<Record<string, string>> = {}): string {
  const directory = makeDirectory();
  const programs = { gobonnie: `exec '${process.execPath}' '${ENTRY}' "$@"`, ...commands };
  for (const [name, command] of Object.entries(programs))
    writeFileSync(path.join(directory, name), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  return `${directory}${path.delimiter}${process.env.PATH}`;
}
