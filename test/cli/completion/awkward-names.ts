import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { FAST } from '../../support/disks/directory.js';
import { gobonnieHere } from '../../support/programs/program-here.js';

/** Names that a careless script would split, expand or obey; no two begin alike, so that a letter is enough for each. */
const FILES = [
  'plain.json',
  'my * report.json',
  "it's $(touch obeyed).json",
  'and;touch obeyed;b.json',
  '`touch obeyed`.json',
];
const DIRECTORIES = ['sub', 'deep $(touch obeyed)', 'enough; touch obeyed'];

/** A directory with all of them in it, for one file of tests. */
export function makeAwkwardDirectory(): { readonly path: string; readonly remove: () => void } {
  const ground = mkdtempSync(path.join(FAST, 'test-'));
  for (const name of FILES) writeFileSync(path.join(ground, name), '');
  for (const name of DIRECTORIES) mkdirSync(path.join(ground, name));
  return { path: ground, remove: () => rmSync(ground, { recursive: true }) };
}

/** Whether nothing was made by a word that was obeyed. */
export function isUntouched(ground: string): boolean {
  return readdirSync(ground).length === FILES.length + DIRECTORIES.length;
}

/** Each once and in order. */
export function tidy(words: readonly string[]): readonly string[] {
  return [...new Set(words.filter((word) => word !== ''))].toSorted();
}

/** Some shells put a slash behind a directory, others take it away again. */
export function withoutSlash(words: readonly string[]): readonly string[] {
  return words.map((word) => word.replace(/\/$/, ''));
}

/** The names of all commands, and every flag of each, as their helps have them. */
export async function helped(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { stdout } = await gobonnieHere(['--help']);
  const [, list = ''] = /\nCommands:\n(.*?)\nExamples:/s.exec(stdout) ?? [];
  const names = ['', ...[...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name)];
  const entries = names.map(async (name) => {
    const help = await gobonnieHere([name, '--help'].filter(Boolean));
    return [name, flagsIn(help.stdout)] as const;
  });
  return new Map(await Promise.all(entries));
}

function flagsIn(help: string): readonly string[] {
  const terms = [...help.matchAll(/^ {2}(-.*?)(?: {2}|$)/gm)].map(([, term = '']) => term);
  return terms.flatMap((term) => term.match(/(?<=^|, )--?[\w-]+/g) ?? []);
}
