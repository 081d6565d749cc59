import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeDirectory } from '../disks/directory.js';
import { ENTRY } from './program.js';

/** A PATH on which `gobonnie` is the built program, and others are what these shell commands do. */
export function createPath(commands: Readonly<Record<string, string>> = {}): string {
  const directory = makeDirectory();
  const all = { gobonnie: `exec '${process.execPath}' '${ENTRY}' "$@"`, ...commands };
  for (const [name, command] of Object.entries(all))
    writeFileSync(path.join(directory, name), `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  return `${directory}${path.delimiter}${process.env.PATH}`;
}
