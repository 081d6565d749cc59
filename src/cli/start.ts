import { writeSync } from 'node:fs';
import { version } from '../version.js';
import type { CliProcess } from './output/terminal.js';

const STDOUT_FD = 1;

/** Runs the program. Prints the version without loading the program, nor the streams behind `process.stdout`. */
export async function start(process: CliProcess): Promise<void> {
  const [, , flag = '', ...others] = process.argv;
  if (/^(--?version|-V|version)$/.test(flag) && others.length === 0) {
    try {
      writeSync(STDOUT_FD, `gobonnie version ${version}\n`);
      return;
    } catch {
      // The program repeats it and reports the failure.
    }
  }
  const { main } = await import('./main.js');
  await main(process);
}
