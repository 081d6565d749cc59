import type { FileTree } from '../protocol.js';
import { Random } from '../random.js';

/** How the files of a tree are named: bonnie++'s, ten hexadecimal digits and up to twelve random characters. */
export type NameOrder = 'numeric' | 'random';

const DIGITS = 10;
const MOST_RANDOM_CHARACTERS = 12;
const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIRECTORY_DIGITS = 5;

/** One file of a tree. A link has no bytes. */
export interface SmallFile {
  readonly directory: string;
  readonly path: string;
  readonly lengthBytes: number;
}

/** Where the files of an order are, apart from the other's: a name in one can be a name in the other. */
export function rootOf({ root }: FileTree, order: NameOrder): string {
  return order === 'numeric' ? root : `${root}-random`;
}

/** The directories that hold the files. */
export function directoriesOf(tree: FileTree, order: NameOrder): readonly string[] {
  const root = rootOf(tree, order);
  if (tree.directories === 0) return [root];
  return Array.from({ length: tree.directories }, (_, index) => `${root}/${numbered(index)}`);
}

function numbered(index: number): string {
  return String(index).padStart(DIRECTORY_DIGITS, '0');
}

/** Every file, in the order in which they are created: one directory after the other. The same key, the same files. */
export function* filesOf(tree: FileTree, order: NameOrder, key: readonly number[]): Generator<SmallFile> {
  const { count, kind, minBytes, maxBytes } = tree;
  const random = new Random(...key, order === 'numeric' ? 0 : 1);
  const directories = directoriesOf(tree, order);
  for (let index = 0; index < count; index++) {
    const directory = directories[Math.floor((index * directories.length) / count)] ?? '';
    // Joined, the characters lie in one piece; a template's would be put together by the first call, on the clock.
    const path = [directory, nameOf(index, order, random)].join('/');
    const lengthBytes = kind === 'files' ? minBytes + random.below(maxBytes - minBytes + 1) : 0;
    yield { directory, path, lengthBytes };
  }
}

/** The number makes the name unique; the random part stands behind it or, so that the order is nobody's, before it. */
function nameOf(index: number, order: NameOrder, random: Random): string {
  const number = index.toString(16).padStart(DIGITS, '0');
  let characters = '';
  for (let left = random.below(MOST_RANDOM_CHARACTERS + 1); left > 0; left--)
    characters += CHARACTERS[random.below(CHARACTERS.length)];
  return order === 'numeric' ? number + characters : characters + number;
}

/** What every link of a tree of links leads to: a file beside the directories. */
export function linkTargetOf(tree: FileTree, order: NameOrder): string {
  return `${rootOf(tree, order)}/target`;
}
