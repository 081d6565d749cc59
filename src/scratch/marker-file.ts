import { rename, unlink } from 'node:fs/promises';
import path from 'node:path';
import { MARKER_NAME, type Marker, textOf } from './marker.js';
import { isMissing, makeDurably } from './safe-path/own-file.js';
import type { TreeDataset } from './small-files.js';

/** What is to take the marker's place. */
export const SUCCESSOR_NAME = 'owner.new';

/** The marker in a scratch directory: it is always there as a whole, and of the size of what it says. */
export class MarkerFile {
  readonly #file: string;
  readonly #successor: string;
  #marker: Marker;

  private constructor(root: string, marker: Marker) {
    this.#file = path.join(root, MARKER_NAME);
    this.#successor = path.join(root, SUCCESSOR_NAME);
    this.#marker = marker;
  }

  /** Whatever is there already makes this fail, and stays. */
  static async make(root: string, marker: Marker): Promise<MarkerFile> {
    const made = new MarkerFile(root, marker);
    await makeDurably(made.#file, textOf(marker));
    return made;
  }

  /** That of a process that is gone. */
  static found(root: string, marker: Marker): MarkerFile {
    return new MarkerFile(root, marker);
  }

  get marker(): Marker {
    return this.#marker;
  }

  /** Written down before it is done. */
  async notePlanted(dataset: TreeDataset, run: number): Promise<void> {
    const marker = { ...this.#marker, planted: { ...this.#marker.planted, [dataset]: run } };
    await makeDurably(this.#successor, textOf(marker));
    await rename(this.#successor, this.#file);
    this.#marker = marker;
  }

  /** Whether it was there. */
  async remove(): Promise<boolean> {
    await removed(this.#successor);
    return removed(this.#file);
  }

  /** Says again what it said. */
  async restore(): Promise<void> {
    await makeDurably(this.#file, textOf(this.#marker));
  }
}

async function removed(file: string): Promise<boolean> {
  try {
    await unlink(file);
    return true;
  } catch (error) {
    if (isMissing(error as NodeJS.ErrnoException)) return false;
    throw error;
  }
}
