import { mkdir, mkdtemp, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { GobonnieError, shown, systemHint, systemReason } from '../errors.js';

const PREFIX = 'gobonnie-';

/** The one temporary directory of a run. It deletes what it made, file by file, and nothing else. */
export class Scratch {
  readonly path: string;
  readonly #madeParents: readonly string[];
  /** The paths of the files that this run may make. */
  readonly files: readonly string[];

  private constructor(directory: string, madeParents: readonly string[], fileNames: readonly string[]) {
    this.path = directory;
    this.#madeParents = madeParents;
    this.files = fileNames.map((name) => this.locate(name));
  }

  static async create(parent: string, fileNames: readonly string[]): Promise<Scratch> {
    let madeParents: readonly string[] = [];
    try {
      madeParents = await makeMissing(parent);
      // mkdtemp makes a directory that was not there before, for this user alone (0700).
      return new Scratch(await mkdtemp(path.join(parent, PREFIX)), madeParents, fileNames);
    } catch (cause) {
      await Promise.allSettled(madeParents.map((made) => rmdir(made)));
      const error = cause as NodeJS.ErrnoException;
      throw new GobonnieError(
        'scratch-failed',
        `no temporary directory could be made in ${shown(parent)}: ${systemReason(error)}`,
        systemHint(error),
        { cause },
      );
    }
  }

  /** The path of a file of this run, by its name. */
  locate(fileName: string): string {
    return path.join(this.path, fileName);
  }

  /** Makes room for the next run's files. */
  async empty(): Promise<void> {
    for (const file of this.files) await unlessMissing(unlink(file));
  }

  async remove(): Promise<void> {
    try {
      await this.empty();
      await unlessMissing(rmdir(this.path));
    } catch (cause) {
      throw new GobonnieError(
        'cleanup-failed',
        `${shown(this.path)} could not be removed: ${systemReason(cause as NodeJS.ErrnoException)}`,
        'remove it by hand',
        { cause },
      );
    }
    // A parent that someone else has put something into meanwhile is no longer ours alone, and stays.
    for (const made of this.#madeParents) await rmdir(made).catch(() => {});
  }
}

/** Makes `directory` and what is missing above it; gives what was made, innermost first. */
async function makeMissing(directory: string): Promise<readonly string[]> {
  const outermost = await mkdir(directory, { recursive: true });
  if (outermost === undefined) return [];
  const made: string[] = [];
  for (let at = directory; at.length >= outermost.length; at = path.dirname(at)) made.push(at);
  return made;
}

async function unlessMissing(removal: Promise<void>): Promise<void> {
  await removal.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}
