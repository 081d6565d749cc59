import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Dataset } from '../../workers/phases/phase.js';
import {
  FILE_KINDS,
  MAX_DATA_FILES,
  MAX_DIRECTORIES,
  MAX_FILES,
  MAX_TREES,
} from '../options/bonnie-options.js';
import type { ScratchLayout, TreeShape } from '../plan/scratch-layout.js';
import type { Owner } from './owner.js';
import { createOwnFile, isMissing, readOwnFile, replaceOwnFile } from './safe-path/own-file.js';
import { removeFile } from './safe-path/retry.js';

export const MARKER_NAME = 'owner';
/** Renamed over the marker, so a complete marker always exists. */
export const NEW_MARKER_NAME = 'owner.new';

const FORMAT = 'gobonnie-scratch/3';
const MARKER_START = JSON.stringify({ format: FORMAT }).slice(0, -1);
/** Larger than any marker. */
const MAX_MARKER_BYTES = 2 ** 20;

export type TreeDataset = Exclude<Dataset, 'data'>;

/** Possible contents of a scratch directory. All names follow from these numbers: a forged marker names no other files. */
export interface ScratchContents extends ScratchLayout {
  /** The run whose small files may exist, per dataset. */
  readonly smallFileRuns: Readonly<Partial<Record<TreeDataset, number>>>;
}

/** The owner and the possible contents of a scratch directory. */
export interface Marker extends ScratchContents {
  readonly owner: Owner;
  /** Inode numbers of the parents that were created for it, innermost first. */
  readonly createdParents: readonly string[];
}

/** The marker in the scratch directory of a run or of a dead process. */
export class MarkerFile {
  readonly #file: string;
  readonly #newFile: string;
  #marker: Marker;
  readonly #onExistenceChange: (exists: boolean) => void;
  #pendingChange: Promise<void> = Promise.resolve();

  /** `onExistenceChange` is called as soon as the marker exists, and just before it is removed. */
  constructor(root: string, marker: Marker, onExistenceChange: (exists: boolean) => void = () => {}) {
    this.#file = path.join(root, MARKER_NAME);
    this.#newFile = path.join(root, NEW_MARKER_NAME);
    this.#marker = marker;
    this.#onExistenceChange = onExistenceChange;
  }

  get marker(): Marker {
    return this.#marker;
  }

  /** Creates the marker. Fails if anything of that name exists. */
  async write(): Promise<void> {
    await createOwnFile(this.#file, serializeMarker(this.#marker));
    this.#onExistenceChange(true);
  }

  /** Call before the run creates any of the small files. */
  async recordSmallFiles(dataset: TreeDataset, run: number): Promise<void> {
    await this.#change(({ smallFileRuns }) => ({
      smallFileRuns: { ...smallFileRuns, [dataset]: run },
    }));
  }

  /** Serialized: concurrent changes would write the same temporary file. */
  async #change(computeChange: (marker: Marker) => Partial<Marker>): Promise<void> {
    const change = this.#pendingChange.then(async () => {
      const marker = { ...this.#marker, ...computeChange(this.#marker) };
      await replaceOwnFile(this.#file, this.#newFile, serializeMarker(marker), { sync: true });
      this.#marker = marker;
    });
    this.#pendingChange = change.catch(() => {});
    await change;
  }

  /** Returns true if the marker existed. */
  async remove(): Promise<boolean> {
    await this.#pendingChange;
    this.#onExistenceChange(false);
    await removeIfExists(this.#newFile);
    return removeIfExists(this.#file);
  }
}

async function removeIfExists(file: string): Promise<boolean> {
  try {
    await removeFile(file);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function serializeMarker(marker: Marker): string {
  return `${JSON.stringify({ format: FORMAT, ...marker })}\n`;
}

/** Returns null if the marker is missing, another user's, or invalid. */
export async function readMarker(root: string): Promise<Marker | null> {
  const text = await readOwnFile(path.join(root, MARKER_NAME), MAX_MARKER_BYTES).catch(() => null);
  try {
    const marker = JSON.parse(text ?? '') as Marker & { readonly format: string };
    return isValid(marker) ? marker : null;
  } catch {
    // It is not JSON, or a field is missing or of another type.
    return null;
  }
}

/** True if a directory holds at most the beginning of a marker: its run was killed while creating it. */
export async function isMarkerIncomplete(root: string): Promise<boolean> {
  const [name, ...others] = await readdir(root);
  if (name === undefined) return true;
  if (name !== MARKER_NAME || others.length > 0) return false;
  const text = await readOwnFile(path.join(root, MARKER_NAME), MAX_MARKER_BYTES).catch(() => null);
  return text !== null && MARKER_START.startsWith(text.slice(0, MARKER_START.length));
}

/** Checks a run's limits, so a removal always ends. Throws a TypeError if a field is missing. */
function isValid(marker: Marker & { readonly format: string }): boolean {
  const { format, owner, createdParents, files, trees, seed, smallFileRuns } = marker;
  const { pid, startTime, host, machine, boot, pidNamespace } = owner;
  const { tree = 0, 'random-tree': randomTree = 0 } = smallFileRuns;
  return (
    format === FORMAT &&
    [startTime, host, machine, boot, pidNamespace].every(isString) &&
    createdParents.every(isString) &&
    [pid, seed, tree, randomTree].every((count) => isCount(count)) &&
    isCount(files, MAX_DATA_FILES) &&
    trees.length <= MAX_TREES &&
    trees.every(isTreeShape) &&
    trees.reduce((sum, { count }) => sum + count, 0) <= MAX_FILES
  );
}

function isTreeShape({ count, directories, minBytes, maxBytes, kind }: TreeShape): boolean {
  return (
    [count, minBytes, maxBytes].every((number) => isCount(number)) &&
    isCount(directories, MAX_DIRECTORIES) &&
    FILE_KINDS.includes(kind)
  );
}

function isString(value: unknown): boolean {
  return typeof value === 'string';
}

function isCount(value: number, max: number = Number.MAX_SAFE_INTEGER): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= max;
}
