import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import { getOptionRow, type RawOptions } from '../../../src/cli/argv/cli-catalogue.js';
import { toRawOptions } from '../../../src/cli/config/option-source.js';
import { mergeOptions, readSettings } from '../../../src/cli/config/settings.js';
import { requestFrom } from '../../../src/cli/dispatch.js';
import { type CliProcess, Terminal } from '../../../src/cli/output/terminal.js';
import { toFlag } from '../../../src/text/message-template.js';
import { makeDirectory } from '../../support/disks/directory.js';

/** Writes files, named by their paths below a directory. Writes content as JSON unless it is a string. */
export function writeFiles(directory: string, files: Readonly<Record<string, unknown>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(directory, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

/** Changes to a new directory with these files, or to `below` in it, for one test, and uses it as TMPDIR. */
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

/** Returns the options from these flags, these variables and the config files of the working directory. */
export async function readOptions(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<RawOptions> {
  return toRawOptions(await mergeOptions(await parseSources(args), quietTerminal(env)));
}

/** Returns the validated options from the same sources. */
export async function readSettingsOf(args: readonly string[], env: NodeJS.ProcessEnv) {
  return readSettings(await parseSources(args), quietTerminal(env));
}

async function parseSources(args: readonly string[]) {
  const request = await requestFrom(args);
  if (request.type !== 'benchmark') throw new Error(`the request is of type ${request.type}`);
  return request;
}

function quietTerminal(env: NodeJS.ProcessEnv): Terminal {
  const sink = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return new Terminal({ env, stdout: sink(), stderr: sink() } as unknown as CliProcess);
}

/** Returns the catalogue's example without shell quotes. Makes a path absolute. */
export function exampleValue(name: string): string {
  const { argument, example } = getOptionRow(name);
  const unquoted = example.replace(/^"(.*)"$/, '$1');
  return argument === 'FILE' || argument === 'DIR' ? path.resolve(path.basename(unquoted)) : unquoted;
}

/** Returns the example as a flag. */
export function exampleFlag(name: string): string {
  const isSwitch = getOptionRow(name).argument === null;
  return isSwitch ? toFlag(name) : `${toFlag(name)}=${exampleValue(name)}`;
}

/** Returns the example as a value in a config file. */
export function exampleJson(name: string): unknown {
  return getOptionRow(name).argument === null ? true : exampleValue(name);
}
