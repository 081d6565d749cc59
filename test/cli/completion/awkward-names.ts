import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FAST_DIRECTORY } from '../../support/disks/directory.js';
import { runInProcess } from '../../support/programs/in-process.js';

/** Names that a careless script would split, expand or run. Each begins with another letter. */
const FILES = [
  'plain.json',
  'my * report.json',
  "it's $(touch obeyed).json",
  'and;touch obeyed;b.json',
  '`touch obeyed`.json',
];
const DIRECTORIES = ['sub', 'deep $(touch obeyed)', 'enough; touch obeyed'];

/** A directory with all of them, for one test file. */
export function makeAwkwardDirectory(): { readonly path: string; readonly remove: () => void } {
  const directory = mkdtempSync(path.join(FAST_DIRECTORY, 'test-'));
  for (const name of FILES) writeFileSync(path.join(directory, name), '');
  for (const name of DIRECTORIES) mkdirSync(path.join(directory, name));
  return { path: directory, remove: () => rmSync(directory, { recursive: true }) };
}

/** Whether no word was run as a command, which would have made a file. */
export function isUntouched(directory: string): boolean {
  return readdirSync(directory).length === FILES.length + DIRECTORIES.length;
}

/** Sorted, without duplicates and empty words. */
export function sortUnique(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter((word) => word !== ''))].toSorted();
}

/** Some shells end a directory with a slash, others do not. */
export function withoutSlash(words: readonly string[]): readonly string[] {
  return words.map((word) => word.replace(/\/$/, ''));
}

/** The names of all commands and their flags, from their help texts. */
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
