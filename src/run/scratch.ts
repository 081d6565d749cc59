import { constants } from 'node:fs';
import { lstat, mkdir, mkdtemp, open, rmdir, unlink } from 'node:fs/promises';
import path from 'node:path';
import { NO_FOLLOW } from '../../workers/protocol.js';
import { GobonnieError, shown, systemHint, systemReason } from '../errors.js';

const PREFIX = 'gobonnie-';
/** Only the user who runs gobonnie may read what it writes. */
const FILE_MODE = 0o600;

/** The one temporary directory of a run. It deletes what it made, file by file, and nothing else. */
export class Scratch {
  readonly path: string;
  /** Innermost first. */
  readonly #madeParents: readonly string[];
  /** The paths of the files that this run may make. */
  readonly files: readonly string[];

  private constructor(directory: string, madeParents: readonly string[], fileNames: readonly string[]) {
    this.path = directory;
    this.#madeParents = madeParents;
    this.files = [...new Set(fileNames)].map((name) => this.locate(name));
  }

  static async create(parent: string, fileNames: readonly string[]): Promise<Scratch> {
    const madeParents: string[] = [];
    try {
      for (const missing of await missingAbove(parent)) {
        await mkdir(missing);
        madeParents.unshift(missing);
      }
      // mkdtemp makes a directory that was not there before, for this user alone (0700).
      return new Scratch(await mkdtemp(path.join(parent, PREFIX)), madeParents, fileNames);
    } catch (cause) {
      await removeEmpty(madeParents);
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

  /** Empty files in the place of those of the run before. With O_EXCL they can only ever be of our own making. */
  async renewFiles(): Promise<void> {
    const [failure] = await this.#unlinkAll();
    if (failure) throw leftBehind(String(failure.path), failure);
    for (const file of this.files) await makeFile(file);
  }

  async remove(): Promise<void> {
    const failures = await this.#unlinkAll();
    await rmdir(this.path).catch(unlessMissing((error) => failures.push(error)));
    const [failure] = failures;
    if (failure) throw leftBehind(this.path, failure);
    await removeEmpty(this.#madeParents);
  }

  /** Tries every file, so that one that stays does not keep the others' space; gives what failed. */
  async #unlinkAll(): Promise<NodeJS.ErrnoException[]> {
    const failures: NodeJS.ErrnoException[] = [];
    for (const file of this.files) await unlink(file).catch(unlessMissing((error) => failures.push(error)));
    return failures;
  }
}

function unlessMissing(act: (error: NodeJS.ErrnoException) => void) {
  return (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') act(error);
  };
}

async function makeFile(file: string): Promise<void> {
  try {
    const handle = await open(
      file,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW,
      FILE_MODE,
    );
    await handle.close();
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    throw new GobonnieError(
      'scratch-failed',
      `${shown(file)} could not be made: ${systemReason(error)}`,
      systemHint(error),
      { cause },
    );
  }
}

/** The directories that `directory` needs and that are not there, outermost first. */
async function missingAbove(directory: string): Promise<readonly string[]> {
  const isThere = await lstat(directory).then(
    () => true,
    () => false,
  );
  return isThere ? [] : [...(await missingAbove(path.dirname(directory))), directory];
}

/** Innermost first. What someone else has put something into meanwhile is no longer ours alone, and stays. */
async function removeEmpty(directories: readonly string[]): Promise<void> {
  for (const directory of directories) await rmdir(directory).catch(() => {});
}

function leftBehind(place: string, cause: NodeJS.ErrnoException): GobonnieError {
  return new GobonnieError(
    'cleanup-failed',
    `${shown(place)} could not be removed: ${systemReason(cause)}`,
    'remove it by hand',
    { cause },
  );
}
