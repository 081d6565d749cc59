import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FAST_DIRECTORY } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';

/** Names that a careless script would split, expand or run. Each name begins with a different letter. */
const FILES = [
  'plain.json',
  'my * report.json',
  "it's $(touch obeyed).json",
  'and;touch obeyed;b.json',
  '`touch obeyed`.json',
];
const DIRECTORIES = ['sub', 'deep $(touch obeyed)', 'enough; touch obeyed'];

/** Creates a directory with all these names, for one test file. */
export function makeAwkwardDirectory(): { readonly path: string; readonly remove: () => void } {
  const directory = mkdtempSync(path.join(FAST_DIRECTORY, 'test-'));
  for (const name of FILES) writeFileSync(path.join(directory, name), '');
  for (const name of DIRECTORIES) mkdirSync(path.join(directory, name));
  return { path: directory, remove: () => rmSync(directory, { recursive: true }) };
}

/** True if no word ran as a command, which would have created a file. */
export function isUntouched(directory: string): boolean {
  return readdirSync(directory).length === FILES.length + DIRECTORIES.length;
}

/** Returns the words sorted, without duplicates and empty words. */
export function sortUnique(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter((word) => word !== ''))].toSorted();
}

/** Removes the slash that some shells add to a directory. */
export function withoutSlash(words: readonly string[]): readonly string[] {
  return words.map((word) => word.replace(/\/$/, ''));
}

/** Returns the flags of every command by its name, from the help texts. */
export async function readHelp(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { stdout } = await runInProcess(['--help']);
  const [, list = ''] = /\nCommands:\n(.*?)\nExamples:/s.exec(stdout) ?? [];
  const names = ['', ...[...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name)];
  const entries = names.map(async (name) => {
    const help = await runInProcess([name, '--help'].filter(Boolean));
    return [name, flagsIn(help.stdout)] as const;
  });
  return new Map(await Promise.all(entries));
}

function flagsIn(help: string): readonly string[] {
  const terms = [...help.matchAll(/^ {2}(-.*?)(?: {2}|$)/gm)].map(([, term = '']) => term);
  return terms.flatMap((term) => term.match(/(?<=^|, )--?[\w-]+/g) ?? []);
}
