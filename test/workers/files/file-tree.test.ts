import { describe, expect, test } from 'vitest';
import {
  generateFiles,
  linkTarget,
  type SmallFile,
  treeDirectories,
} from '../../../workers/files/file-tree.js';
import type { TreeDataset } from '../../../workers/phases/phase.js';
import type { FileTree } from '../../../workers/protocol.js';

const KEY = [42, 1, 0];

const ORDERS: readonly TreeDataset[] = ['tree', 'random-tree'];
/** bonnie++'s names: ten hexadecimal digits, then up to twelve random characters, or the reverse. */
const NAMES: Readonly<Record<TreeDataset, RegExp>> = {
  tree: /^[0-9a-f]{10}[0-9A-Za-z]{0,12}$/,
  'random-tree': /^[0-9A-Za-z]{0,12}[0-9a-f]{10}$/,
};

/** Makes a tree, by default of empty files in one directory. */
function treeWith(facts: Partial<FileTree> = {}): FileTree {
  const shape = { count: 1000, directories: 0, kind: 'files', minBytes: 0, maxBytes: 0 } as const;
  return { index: 0, root: 'tree.0', first: 0, ...shape, ...facts };
}

function fileName({ path }: SmallFile): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function listPaths(tree: FileTree, order: TreeDataset, key: readonly number[] = KEY): readonly string[] {
  return generateFiles(tree, order, key).map(({ path }) => path);
}

/** Returns the number of files in each directory. */
function countPerDirectory(tree: FileTree): readonly number[] {
  const files = generateFiles(tree, 'tree', KEY);
  return treeDirectories(tree, 'tree').map(
    (directory) => files.filter((file) => file.path === `${directory}/${fileName(file)}`).length,
  );
}

describe.each(ORDERS)('%s names', (order) => {
  test('names have every length from 10 to 22', () => {
    const lengths = new Set(generateFiles(treeWith(), order, KEY).map((file) => fileName(file).length));
    expect([...lengths].toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 13 }, (_, at) => 10 + at),
    );
  });

  test('no two names are equal, even in different directories', () => {
    const names = generateFiles(treeWith({ count: 20_000, directories: 7 }), order, KEY).map(fileName);
    expect(new Set(names).size).toBe(20_000);
  });

  test('names are the same for the same key, and differ for another run, thread or seed', () => {
    const paths = listPaths(treeWith(), order);
    expect(listPaths(treeWith(), order)).toEqual(paths);
    for (const key of [
      [42, 2, 0],
      [42, 1, 1],
      [43, 1, 0],
    ])
      expect(listPaths(treeWith(), order, key).filter((path) => paths.includes(path)).length).toBeLessThan(
        100,
      );
  });
});

describe('the directories', () => {
  test('directories below the root are numbered with five digits', () => {
    const directories = treeDirectories(treeWith({ directories: 100_000 }), 'tree');
    expect(directories.slice(0, 2)).toEqual(['tree.0/00000', 'tree.0/00001']);
    expect(directories.slice(99_998)).toEqual(['tree.0/99998', 'tree.0/99999']);
  });

  test('with 0 directories, the root itself holds the files', () => {
    expect(treeDirectories(treeWith(), 'tree')).toEqual(['tree.0']);
    expect(countPerDirectory(treeWith())).toEqual([1000]);
  });

  test.each([
    [1000, 4, [250, 250, 250, 250]],
    [10, 3, [4, 3, 3]],
    [1, 1, [1]],
    [2, 5, [1, 0, 1, 0, 0]],
  ])('%i files are spread evenly over %i directories: %j', (count, directories, spread) => {
    expect(countPerDirectory(treeWith({ count, directories })).toSorted()).toEqual(spread.toSorted());
  });

  test('directories are filled one after the other', () => {
    const files = generateFiles(treeWith({ count: 100, directories: 3 }), 'tree', KEY);
    const directories = files.map(({ directory }) => directory);
    expect(directories).toEqual(directories.toSorted());
  });
});

describe('the sizes', () => {
  test('sizes range from the minimum to the maximum, both included', () => {
    const sizes = generateFiles(treeWith({ minBytes: 100, maxBytes: 109 }), 'tree', KEY).map(
      ({ lengthBytes }) => lengthBytes,
    );
    const expected = Array.from({ length: 10 }, (_, at) => 100 + at);
    expect([...new Set(sizes)].toSorted((one, other) => one - other)).toEqual(expected);
    // Each of the ten sizes appears about a hundred times.
    for (const size of expected) {
      const count = sizes.filter((other) => other === size).length;
      expect(count).toBeGreaterThan(50);
      expect(count).toBeLessThan(150);
    }
  });

  test.each(['hard-links', 'symlinks'] as const)('the size limits do not apply to %s', (kind) => {
    const files = generateFiles(treeWith({ kind, minBytes: 100, maxBytes: 200 }), 'tree', KEY);
    expect(files.filter(({ lengthBytes }) => lengthBytes !== 0)).toEqual([]);
  });
});

test('the two orders use different directories, because they may use the same names', () => {
  const all = ORDERS.flatMap((order) => treeDirectories(treeWith({ directories: 3 }), order));
  expect(new Set(all).size).toBe(6);
});

test.each(ORDERS)('the target of links with %s names is not one of the files or directories', (order) => {
  const tree = treeWith({ kind: 'symlinks', directories: 3 });
  const target = linkTarget(tree, order);
  const [root, name = ''] = target.split('/');
  expect(treeDirectories(tree, order).every((directory) => directory.startsWith(`${root}/`))).toBe(true);
  expect(treeDirectories(tree, order)).not.toContain(target);
  for (const names of ORDERS) expect(NAMES[names].test(name)).toBe(false);
});
