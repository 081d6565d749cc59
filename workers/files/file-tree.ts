import type { FileTree } from '../protocol.js';
import { Random } from '../random.js';

/** bonnie++'s names: ten hexadecimal digits, with up to twelve random characters after or before them. */
export type NameOrder = 'numeric' | 'random';

const DIGITS = 10;
const MAX_RANDOM_CHARACTERS = 12;
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIRECTORY_DIGITS = 5;
/** Matches the names of files in a tree, and of the target of its links. */
export const TREE_FILE_NAME = /^([0-9a-f]{10}[0-9A-Za-z]{0,12}|[0-9A-Za-z]{0,12}[0-9a-f]{10}|target)$/;
export const TREE_DIRECTORY_NAME = /^\d{5}$/;

/** One file of a tree. A link has length 0. */
export interface SmallFile {
  readonly directory: string;
  readonly path: string;
  readonly lengthBytes: number;
}

/** Returns the root for an order. Each order has its own, because both may use the same name. */
export function treeRoot({ root }: FileTree, order: NameOrder): string {
  return order === 'numeric' ? root : `${root}-random`;
}

export function treeDirectories(tree: FileTree, order: NameOrder): readonly string[] {
  const root = treeRoot(tree, order);
  if (tree.directories === 0) return [root];
  const names = Array.from({ length: tree.directories }, (_, at) => `${at}`.padStart(DIRECTORY_DIGITS, '0'));
  return names.map((name) => `${root}/${name}`);
}

/** Yields every file in the order of creation, one directory after the other. The same key gives the same files. */
export function* generateFiles(
  tree: FileTree,
  order: NameOrder,
  key: readonly number[],
): Generator<SmallFile> {
  const { first, count, createdCount = count, kind, minBytes, maxBytes } = tree;
  const random = new Random(...key, order === 'numeric' ? 0 : 1);
  const directories = treeDirectories(tree, order);
  for (let index = 0; index < createdCount; index++) {
    const directory = directories[Math.floor((index * directories.length) / count)] ?? '';
    // join makes a flat string. The first system call would flatten a template's string, inside the timed loop.
    const path = [directory, generateName(first + index, order, random)].join('/');
    const lengthBytes = kind === 'files' ? minBytes + random.below(maxBytes - minBytes + 1) : 0;
    yield { directory, path, lengthBytes };
  }
}

/** Returns a name. The number makes it unique; the random part follows the number or, for random order, precedes it. */
function generateName(index: number, order: NameOrder, random: Random): string {
  const number = index.toString(16).padStart(DIGITS, '0');
  let characters = '';
  for (let remaining = random.below(MAX_RANDOM_CHARACTERS + 1); remaining > 0; remaining--)
    characters += CHARACTERS[random.below(CHARACTERS.length)];
  return order === 'numeric' ? number + characters : characters + number;
}

/** Returns the target of every link in a tree of links: a file beside the directories. */
export function linkTarget(tree: FileTree, order: NameOrder): string {
  return `${treeRoot(tree, order)}/target`;
}
