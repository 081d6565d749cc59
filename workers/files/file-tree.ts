import type { TreeDataset } from '../phases/phase.js';
import type { FileTree } from '../protocol.js';
import { Random } from '../random.js';

/** bonnie++'s names: ten hexadecimal digits, with up to twelve random characters after or before them. */
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

/** Returns the root of a dataset. Each has its own, because both may use the same name. */
export function treeRoot({ root }: FileTree, dataset: TreeDataset): string {
  return dataset === 'tree' ? root : `${root}-random`;
}

export function treeDirectories(tree: FileTree, dataset: TreeDataset): readonly string[] {
  const root = treeRoot(tree, dataset);
  if (tree.directories === 0) return [root];
  const names = Array.from({ length: tree.directories }, (_, at) => `${at}`.padStart(DIRECTORY_DIGITS, '0'));
  return names.map((name) => `${root}/${name}`);
}

/** Returns every file in the order of creation, one directory after the other. The same key gives the same files. */
export function generateFiles(
  tree: FileTree,
  dataset: TreeDataset,
  key: readonly number[],
): readonly SmallFile[] {
  const { first, count, createdCount = count, kind, minBytes, maxBytes } = tree;
  const random = new Random(...key, dataset === 'tree' ? 0 : 1);
  const directories = treeDirectories(tree, dataset);
  return Array.from({ length: createdCount }, (_, index) => {
    const directory = directories[Math.floor((index * directories.length) / count)] ?? '';
    // join makes a flat string. The first system call would flatten a template's string, inside the timed loop.
    const path = [directory, generateName(first + index, dataset, random)].join('/');
    const lengthBytes = kind === 'files' ? minBytes + random.below(maxBytes - minBytes + 1) : 0;
    return { directory, path, lengthBytes };
  });
}

/** Returns a name. The number makes it unique; the random part follows the number or, in a random tree, precedes it. */
function generateName(index: number, dataset: TreeDataset, random: Random): string {
  const number = index.toString(16).padStart(DIGITS, '0');
  let characters = '';
  for (let remaining = random.below(MAX_RANDOM_CHARACTERS + 1); remaining > 0; remaining--)
    characters += CHARACTERS[random.below(CHARACTERS.length)];
  return dataset === 'tree' ? number + characters : characters + number;
}

/** Returns the target of every link in a tree of links: a file beside the directories. */
export function linkTarget(tree: FileTree, dataset: TreeDataset): string {
  return `${treeRoot(tree, dataset)}/target`;
}
