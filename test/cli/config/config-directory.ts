import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { getOptionRow, type SplitOptions } from '../../../src/cli/argv/option-rows.js';
import { withSettings } from '../../../src/cli/config/settings.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import { type CliProcess, Terminal } from '../../../src/cli/output/terminal.js';
import { toFlag } from '../../../src/options/option-row.js';
import { makeDirectory } from '../../support/disks/directory.js';

/** Writes files by their paths below a directory. Content that is not a string is written as JSON. */
export function writeFiles(directory: string, files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** Changes to a new directory with these files, or to one below it, for one test. It is also the temporary directory. */
export function enterDirectory(files: Readonly<Record<string, unknown>>, below = '.'): string {
  const directory = makeDirectory();
  writeFiles(directory, files);
  const before = process.cwd();
  process.chdir(path.join(directory, below));
  vi.stubEnv('TMPDIR', directory);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    process.chdir(before);
  });
  return directory;
}

/** The options from these flags, these variables and the config files found from the working directory. */
export async function readOptions(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<SplitOptions> {
  const request = await requestFrom(args);
  if (request.type !== 'benchmark') throw new Error(`the request is of type ${request.type}`);
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  const process = { env, stdout: sink(), stderr: sink() } as unknown as CliProcess;
  return withSettings(request, process, new Terminal(process), async (asked) => asked);
}

/** The example of the catalogue as a shell would pass it on. A path is absolute. */
export function exampleValue(name: string): string {
  const { argument, example } = getOptionRow(name);
  const bare = example.replace(/^'(.*)'$/, '$1');
  return argument === 'FILE' || argument === 'DIR' ? path.resolve(path.basename(bare)) : bare;
}

/** The example as a flag. */
export function exampleFlag(name: string): string {
  const isSwitch = getOptionRow(name).argument === null;
  return isSwitch ? toFlag(name) : `${toFlag(name)}=${exampleValue(name)}`;
}

/** The example as a value in a config file. */
export function exampleJson(name: string): unknown {
  return getOptionRow(name).argument === null ? true : exampleValue(name);
}
