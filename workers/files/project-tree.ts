import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Random } from '../random.js';

/** A file of a project's node_modules. */
export interface ProjectFile {
  readonly package: ProjectPackage;
  /** The directories between the package's own and the file, outermost first. */
  readonly directories: readonly string[];
  readonly path: string;
  readonly lengthBytes: number;
}

export interface ProjectPackage {
  readonly index: number;
  readonly directory: string;
  /** The size of all its files. */
  readonly bytes: number;
}

/** One key for all runs, because trees of different seeds would differ in size by a tenth. */
const KEY = 1;
/** The numbers of files of ten packages: 35 on average, most of them in a few large packages. */
const PACKAGE_FILES = [12, 4, 35, 8, 235, 5, 20, 6, 15, 10] as const;
/** Packages that npm unpacks at the same time: one consecutive file in ten is in the same package. */
const PACKAGES_IN_PROGRESS = 10;

/** A distribution: values at even distances, from the smallest to the largest. */
type Quantiles = readonly number[];

/** The sizes of 94,830 files in four trees that npm installed: up to 95 %, in steps of 5 %, then in steps of 1 %. */
const FILE_BYTES: Quantiles = [
  20, 95, 142, 211, 286, 353, 422, 504, 613, 750, 895, 1077, 1251, 1570, 2016, 2644, 3618, 5186, 8035, 16_709,
];
/** The largest files of the four trees are left out, because single files set the mean. */
const LARGE_FILE_BYTES: Quantiles = [16_709, 25_344, 38_441, 58_307, 88_441, 600_000];
const LARGE_FILES_SHARE = 0.05;
const DIRECTORY_FILES: Quantiles = [1, 1, 2, 3, 4, 5, 6, 9, 12, 20, 200];
const NAME_LETTERS: Quantiles = [2, 5, 9, 15, 28];
const EXTENSIONS = ['.js', '.js', '.js', '.d.ts', '.js.map', '.json', '.mjs', '.md'] as const;
const PRIVATE = { mode: 0o600 } as const;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** The share of new directories that are directly in the package's own. */
const SHALLOW_SHARE = 0.15;

export function countProjectFiles(packages: number): number {
  let files = 0;
  for (let index = 0; index < packages; index++) files += packageFiles(index);
  return files;
}

export function modulesDirectory(root: string): string {
  return join(root, 'node_modules');
}

/** Returns the files of a project below `root`, in the order in which npm writes them. */
export function generateProject(root: string, packages: number): readonly ProjectFile[] {
  const random = new Random(KEY);
  const modules = modulesDirectory(root);
  return interleave(
    Array.from({ length: packages }, (_, index) => generatePackage(modules, index, random)),
    random,
  );
}

/**
 * Stores the paths in their own order, like git's index, each with its place in npm's order: one file for each thread that
 * reads them, because it would collect the garbage of a larger one while it is timed.
 */
export function writeProjectIndex(root: string, files: readonly ProjectFile[], parts: number): void {
  const lines = files.map(({ path }, place) => `${path.slice(root.length)}\t${place}`).sort();
  const length = Math.ceil(lines.length / parts);
  for (let part = 0; part < parts; part++)
    writeFileSync(indexPath(root, part), lines.slice(part * length, (part + 1) * length).join('\n'), PRIVATE);
}

/** Returns the paths of a part that are among the first files in npm's order. */
export function readProjectIndex(root: string, part: number, files: number): readonly string[] {
  return readFileSync(indexPath(root, part), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([path, place]) => (Number(place) < files ? [root + path] : []));
}

function indexPath(root: string, part: number): string {
  return join(root, `index.${part}`);
}

/** Returns for each path its directories that no earlier path has, outermost first. */
export function newDirectories(root: string, paths: readonly string[]): readonly (readonly string[])[] {
  const entered = new Set([root]);
  return paths.map((path) => {
    const chain: string[] = [];
    for (let directory = dirname(path); !entered.has(directory); directory = dirname(directory)) {
      entered.add(directory);
      chain.unshift(directory);
    }
    return chain;
  });
}

function generatePackage(modules: string, index: number, random: Random): ProjectFile[] {
  const directory = join(modules, `${generateWord(random)}-${index}`);
  const sizes = Array.from({ length: packageFiles(index) }, () => drawFileBytes(random));
  const own = { index, directory, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  /** The chain of directories to each directory so far. The first is empty: the package's own directory. */
  const chains: (readonly string[])[] = [];
  let remaining = 0;
  const files = sizes.map((lengthBytes) => {
    if (remaining === 0) {
      chains.push(nextChain(chains, directory, random));
      remaining = draw(DIRECTORY_FILES, random);
    }
    const directories = chains.at(-1) ?? [];
    const extension = EXTENSIONS[random.below(EXTENSIONS.length)] ?? '';
    const name = `${generateWord(random)}${remaining--}${extension}`;
    const path = join(directories.at(-1) ?? directory, name);
    return { key: random.uint32(), file: { package: own, directories, path, lengthBytes } };
  });
  return files.sort((one, other) => one.key - other.key).map(({ file }) => file);
}

/** Returns the chain of a new directory, in the package's own directory or in one of its directories. */
function nextChain(chains: readonly (readonly string[])[], own: string, random: Random): readonly string[] {
  if (chains.length === 0) return [];
  const isShallow = drawShare(random) < SHALLOW_SHARE;
  const parent = (isShallow ? undefined : chains[random.below(chains.length)]) ?? [];
  return [...parent, join(parent.at(-1) ?? own, `${generateWord(random)}${chains.length}`)];
}

/** Takes the next file from a random one of the packages in progress. */
function interleave(packages: readonly ProjectFile[][], random: Random): readonly ProjectFile[] {
  const waiting = [...packages].reverse();
  const inProgress = waiting.splice(-PACKAGES_IN_PROGRESS);
  const order: ProjectFile[] = [];
  while (inProgress.length > 0) {
    const at = random.below(inProgress.length);
    const file = inProgress[at]?.pop();
    if (file) order.push(file);
    else inProgress.splice(at, 1, ...waiting.splice(-1));
  }
  return order;
}

function packageFiles(index: number): number {
  return PACKAGE_FILES[index % PACKAGE_FILES.length] ?? 0;
}

function generateWord(random: Random): string {
  const length = draw(NAME_LETTERS, random);
  return Array.from({ length }, () => LETTERS[random.below(LETTERS.length)]).join('');
}

function drawFileBytes(random: Random): number {
  return draw(drawShare(random) < LARGE_FILES_SHARE ? LARGE_FILE_BYTES : FILE_BYTES, random);
}

/** Draws a whole number. Between two values, its logarithm is evenly distributed. */
function draw(quantiles: Quantiles, random: Random): number {
  const place = drawShare(random) * (quantiles.length - 1);
  const at = Math.floor(place);
  const low = quantiles[at] ?? 1;
  return Math.round(low * ((quantiles[at + 1] ?? low) / low) ** (place - at));
}

function drawShare(random: Random): number {
  return random.uint32() / 2 ** 32;
}

/** Returns a flat string. The first system call would flatten a template's string, inside the timed loop. */
function join(directory: string, name: string): string {
  return [directory, name].join('/');
}
