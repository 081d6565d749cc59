import { fileURLToPath } from 'node:url';
import { type ExitResult, type ProgramOptions, startProcess } from './program.js';
import { SMALL_OPTIONS } from './small-run.js';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

/** Defines the variables of `source`: `run`, a directory, and the options of a small run. */
const PREAMBLE = `
import { run } from 'gobonnie';
const dir = process.argv[1];
const options = ${JSON.stringify(SMALL_OPTIONS)};
`;

/** Runs a program that uses the library, in a new process. */
export function runUserProgram(
  source: string,
  dir: string,
  options: ProgramOptions = {},
): Promise<ExitResult> {
  const args = ['--input-type=module', '--eval', PREAMBLE + source, dir];
  return startProcess(process.execPath, args, { ...options, cwd: PROJECT }).exitResult;
}
