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
/** The mean size of a file. */
export const MEAN_FILE_BYTES = 6200;

/** A distribution: the values at these shares of all items. */
type Quantiles = readonly (readonly [share: number, value: number])[];

/** The sizes of 94,830 files in four trees that npm installed. The largest are left out, because single files set the mean. */
const FILE_BYTES: Quantiles = [
  [0, 20],
  [0.05, 95],
  [0.1, 142],
  [0.15, 211],
  [0.2, 286],
  [0.25, 353],
  [0.3, 422],
  [0.35, 504],
  [0.4, 613],
  [0.45, 750],
  [0.5, 895],
  [0.55, 1077],
  [0.6, 1251],
  [0.65, 1570],
  [0.7, 2016],
  [0.75, 2644],
  [0.8, 3618],
  [0.85, 5186],
  [0.9, 8035],
  [0.95, 16_709],
  [0.99, 88_441],
  [1, 600_000],
];
const DIRECTORY_FILES: Quantiles = [
  [0, 1],
  [0.15, 1],
  [0.4, 4],
  [0.6, 6],
  [0.8, 12],
  [0.9, 20],
  [0.99, 120],
  [1, 500],
];
const NAME_LETTERS: Quantiles = [
  [0, 2],
  [0.5, 9],
  [0.9, 18],
  [1, 30],
];
const EXTENSIONS = ['.js', '.js', '.js', '.d.ts', '.js.map', '.json', '.mjs', '.md'] as const;
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
  const all = Array.from({ length: packages }, (_, index) => generatePackage(modules, index, random));
  return interleave(all, random);
}

/** Returns every directory of these files in the order of their paths, so each follows the directory that contains it. */
export function projectDirectories(root: string, files: readonly ProjectFile[]): readonly string[] {
  const found = new Set([modulesDirectory(root)]);
  for (const file of files) {
    found.add(file.package.directory);
    for (const directory of file.directories) found.add(directory);
  }
  return [...found].sort();
}

function generatePackage(modules: string, index: number, random: Random): readonly ProjectFile[] {
  const directory = join(modules, `${generateWord(random)}-${index}`);
  const sizes = Array.from({ length: packageFiles(index) }, () => draw(FILE_BYTES, random));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const own = { index, directory, bytes };
  /** The chain of directories to each directory so far. The first is empty: the package's own directory. */
  const chains: (readonly string[])[] = [];
  const files: ProjectFile[] = [];
  let remaining = 0;
  for (const lengthBytes of sizes) {
    if (remaining === 0) {
      chains.push(nextChain(chains, directory, random));
      remaining = draw(DIRECTORY_FILES, random);
    }
    const directories = chains.at(-1) ?? [];
    const extension = EXTENSIONS[random.below(EXTENSIONS.length)] ?? '';
    const name = `${generateWord(random)}${remaining}${extension}`;
    files.push({ package: own, directories, path: join(directories.at(-1) ?? directory, name), lengthBytes });
    remaining--;
  }
  return shuffle(files, random);
}

/** Returns the chain of a new directory, in the package's own directory or in one of its directories. */
function nextChain(chains: readonly (readonly string[])[], own: string, random: Random): readonly string[] {
  if (chains.length === 0) return [];
  const isShallow = randomShare(random) < SHALLOW_SHARE;
  const parent = (isShallow ? undefined : chains[random.below(chains.length)]) ?? [];
  return [...parent, join(parent.at(-1) ?? own, `${generateWord(random)}${chains.length}`)];
}

/** Takes the next file from a random one of the packages in progress. */
function interleave(packages: readonly (readonly ProjectFile[])[], random: Random): readonly ProjectFile[] {
  const waiting = [...packages].reverse();
  const inProgress: ProjectFile[][] = [];
  const order: ProjectFile[] = [];
  while (waiting.length > 0 || inProgress.length > 0) {
    while (inProgress.length < PACKAGES_IN_PROGRESS && waiting.length > 0)
      inProgress.push([...(waiting.pop() ?? [])]);
    const at = random.below(inProgress.length);
    const file = inProgress[at]?.pop();
    if (file) order.push(file);
    else inProgress.splice(at, 1);
  }
  return order;
}

function packageFiles(index: number): number {
  return PACKAGE_FILES[index % PACKAGE_FILES.length] ?? 0;
}

function generateWord(random: Random): string {
  const letters = Array.from(
    { length: draw(NAME_LETTERS, random) },
    () => LETTERS[random.below(LETTERS.length)],
  );
  return letters.join('');
}

/** Draws a whole number. Between two shares, the logarithm of the value grows evenly. */
function draw(quantiles: Quantiles, random: Random): number {
  const share = randomShare(random);
  const at = quantiles.findIndex(([upTo]) => share < upTo);
  const [lowShare, low] = quantiles[at - 1] ?? [0, 1];
  const [highShare, high] = quantiles[at] ?? [1, 1];
  return Math.round(low * (high / low) ** ((share - lowShare) / (highShare - lowShare)));
}

function randomShare(random: Random): number {
  return random.uint32() / 2 ** 32;
}

function shuffle(files: readonly ProjectFile[], random: Random): readonly ProjectFile[] {
  return files
    .map((file) => ({ file, key: random.uint32() }))
    .sort((one, other) => one.key - other.key)
    .map(({ file }) => file);
}

/** Returns a flat string. The first system call would flatten a template's string, inside the timed loop. */
function join(directory: string, name: string): string {
  return [directory, name].join('/');
}
