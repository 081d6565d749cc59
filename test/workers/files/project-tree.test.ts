import { describe, expect, test } from 'vitest';
import { countProjectFiles, generateProject, newDirectories } from '../../../workers/files/project-tree.js';

const PACKAGES = 1000;
const files = generateProject('/project', PACKAGES);
const sizes = files.map(({ lengthBytes }) => lengthBytes);

const pathsOf = (some: typeof files) => some.map(({ path }) => path);

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? 0;
}

function parentOf({ path }: { readonly path: string }): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Returns the share of the files that have another one of these values than the file before them. */
function changeShare(values: readonly unknown[]): number {
  return values.filter((value, at) => at > 0 && value !== values[at - 1]).length / (values.length - 1);
}

/** The tables of four real trees, pooled. */
describe('a generated project resembles the node_modules of four real projects:', () => {
  test('the files of each package are 35 on average, and each has its own path', () => {
    expect(files).toHaveLength(countProjectFiles(PACKAGES));
    expect(files.length / PACKAGES).toBe(35);
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
    expect(new Set(files.map((file) => file.package.index)).size).toBe(PACKAGES);
  });

  test.each([
    [0.1, 130, 155],
    [0.25, 320, 385],
    [0.5, 761, 1028],
    [0.75, 2400, 2900],
    [0.9, 7404, 9070],
    [0.95, 14_340, 20_148],
  ])('a share of %d of the files is smaller than %d to %d bytes', (share, least, most) => {
    expect(quantile(sizes, share)).toBeGreaterThanOrEqual(least);
    expect(quantile(sizes, share)).toBeLessThanOrEqual(most);
  });

  test('the mean size is about 6.2 kB, because the largest files are left out', () => {
    const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length;
    expect(mean).toBeGreaterThan(5900);
    expect(mean).toBeLessThan(6500);
  });

  test('directories hold 3 or 4 files, one in ten about 15, and there are 3.2 to 6.6 in a package', () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(parentOf(file), (counts.get(parentOf(file)) ?? 0) + 1);
    expect([3, 4]).toContain(quantile([...counts.values()], 0.5));
    expect(quantile([...counts.values()], 0.9)).toBeGreaterThanOrEqual(13);
    expect(quantile([...counts.values()], 0.9)).toBeLessThanOrEqual(17);
    expect(quantile([...counts.values()], 0.99)).toBeGreaterThanOrEqual(60);
    const perPackage = newDirectories('/project', pathsOf(files)).flat().length / PACKAGES;
    expect(perPackage).toBeGreaterThan(3.2);
    expect(perPackage).toBeLessThan(6.6);
  });

  test('half of the files are 4 or 5 levels deep, one in ten 5 to 9, and names have 12 to 15 characters', () => {
    const depths = files.map(({ path }) => path.split('/').length - 2);
    expect([4, 5]).toContain(quantile(depths, 0.5));
    expect(quantile(depths, 0.9)).toBeGreaterThanOrEqual(5);
    expect(quantile(depths, 0.9)).toBeLessThanOrEqual(9);
    const lengths = files.map((file) => file.path.length - parentOf(file).length - 1);
    expect(quantile(lengths, 0.5)).toBeGreaterThanOrEqual(12);
    expect(quantile(lengths, 0.5)).toBeLessThanOrEqual(15);
  });

  test('nine of ten consecutive files are in different packages, and nearly all in different directories', () => {
    const packages = changeShare(files.map((file) => file.package));
    expect(packages).toBeGreaterThan(0.87);
    expect(packages).toBeLessThan(0.92);
    expect(changeShare(files.map(parentOf))).toBeGreaterThan(0.95);
  });
});

test('a project is the same every time', () => {
  expect(generateProject('/project', 30)).toEqual(generateProject('/project', 30));
});

test('every directory follows the directory that contains it', () => {
  const seen = new Set(['/project']);
  for (const path of newDirectories('/project', pathsOf(files.slice(0, 5000))).flat()) {
    expect(seen).toContain(parentOf({ path }));
    seen.add(path);
  }
});
