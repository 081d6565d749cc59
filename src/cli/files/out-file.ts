import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, lstat, open, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ErrorCode, GobonnieError } from '../../errors.js';
import { DirectoryHandle } from '../../scratch/safe-path/directory-handle.js';
import { createFile, createOwnFile, removeFile, renameFile } from '../../scratch/safe-path/own-file.js';
import { errorWithReason, hasCode, nullIfMissing, pathIndependentHint } from '../../system-error.js';
import { flag, msg } from '../../text/message-template.js';
import { findWindowsNameProblem } from '../../text/windows-name.js';

/** Length of the name's prefix in its temporary file, which leaves room for a suffix even after the longest name. */
const NAME_PREFIX_LENGTH = 32;
const PERMISSIONS = 0o777;

/** A file of --out. Readers find the old or the new text, even after a power failure. Writes happen one after another. */
export class OutFile {
  /** The path as the user typed it. */
  readonly path: string;
  readonly #target: string;
  readonly #temporary: string;
  /** Handle for appending. Null before the first `append`. */
  #appendHandle: FileHandle | null = null;
  #lastWrite: Promise<void> = Promise.resolve();

  private constructor(filePath: string, target: string) {
    this.path = filePath;
    this.#target = target;
    const name = path.basename(target).slice(0, NAME_PREFIX_LENGTH);
    this.#temporary = path.join(path.dirname(target), `.${name}.gobonnie-${randomBytes(8).toString('hex')}`);
  }

  /** Checks that the file can be written, without changing it. Calls `onTemporary` before creating a temporary file. */
  static async open(filePath: string, onTemporary: (temporary: string) => void = () => {}): Promise<OutFile> {
    return describeErrors(filePath, 'option-invalid', async () => {
      const file = new OutFile(filePath, await findTarget(filePath));
      onTemporary(file.#temporary);
      await file.#inDirectory(async (_target, temporary) => {
        await createOwnFile(temporary);
        await removeFile(temporary);
      });
      return file;
    });
  }

  /** Checks the path as far as possible without creating a file. */
  static async validate(filePath: string): Promise<void> {
    await describeErrors(filePath, 'option-invalid', () => findTarget(filePath));
  }

  /** Replaces the whole file, even if an earlier write failed. */
  write(text: string): Promise<void> {
    const previous = this.#lastWrite.catch(() => {});
    return this.#writeAfter(previous, async () => {
      const handle = await this.#replace(text);
      await handle.close();
    });
  }

  /**
   * Replaces the file with the first text, then appends. Appends nothing after a failure, because the last line may be
   * incomplete. With `sync`, the text survives a power failure.
   */
  append(text: string, sync = false): Promise<void> {
    return this.#writeAfter(this.#lastWrite, async () => {
      if (this.#appendHandle) await this.#appendHandle.writeFile(text);
      else this.#appendHandle = await this.#replace(text);
      if (sync) await this.#appendHandle.datasync();
    });
  }

  async close(): Promise<void> {
    await this.#lastWrite.catch(() => {});
    await this.#appendHandle?.close();
  }

  #writeAfter(previous: Promise<void>, write: () => Promise<void>): Promise<void> {
    this.#lastWrite = previous.then(() => describeErrors(this.path, 'output-failed', write));
    return this.#lastWrite;
  }

  #replace(text: string): Promise<FileHandle> {
    return this.#inDirectory((target, temporary) => replaceFile(target, temporary, text));
  }

  /** Opens the directory again, and rejects a link that another user could have planted. */
  async #inDirectory<Result>(act: (target: string, temporary: string) => Promise<Result>): Promise<Result> {
    await using directory = await DirectoryHandle.open(path.dirname(this.#target));
    const inside = (file: string) => path.join(directory.root, path.basename(file));
    return await act(inside(this.#target), inside(this.#temporary));
  }
}

/** Returns the path of the file with every link resolved. Throws if it is not the path of a file that can be written. */
async function findTarget(filePath: string): Promise<string> {
  const problem = process.platform === 'win32' ? findWindowsNameProblem(filePath) : null;
  if (problem !== null) throw new Error(problem);
  const found = await nullIfMissing(stat(filePath));
  const isFile = found ? found.isFile() : filePath !== '' && !filePath.endsWith(path.sep);
  if (!isFile) throw new Error('it is not a regular file');
  if (found) await access(filePath, constants.W_OK);
  return resolveLinks(toAbsolute(filePath, process.cwd()));
}

/** Used instead of realpath, because another user's link could lead to a file that only this user may replace. */
async function resolveLinks(file: string): Promise<string> {
  const name = path.basename(file);
  await using directory = await DirectoryHandle.open(path.dirname(file));
  const link = await directory.readLink(name);
  if (link === null) return path.join(directory.resolved, name);
  return resolveLinks(toAbsolute(link, directory.resolved));
}

/** Keeps `..`, which may follow a link. On Windows, `D:file` is relative to the current directory of drive D. */
function toAbsolute(filePath: string, from: string): string {
  if (process.platform === 'win32') return path.resolve(from, filePath);
  return path.isAbsolute(filePath) ? filePath : `${from}/${filePath}`;
}

/** Creates or replaces a file of --out atomically, and returns it open for appending. */
async function replaceFile(target: string, temporary: string, text: string): Promise<FileHandle> {
  const found = await nullIfMissing(lstat(target));
  const replaced = found?.isFile() ? found : null;
  return createFile(temporary, replaced ? replaced.mode & PERMISSIONS : 0o666, async (handle) => {
    await handle.writeFile(text);
    if (replaced) {
      // Keep the file's owner and mode when root replaces it. Ignore errors: only root may change an owner, some mounts
      // reject any mode change, and Node's permission model forbids both.
      await handle.chown(replaced.uid, replaced.gid).catch(() => {});
      await handle.chmod(replaced.mode & PERMISSIONS).catch(() => {});
    }
    await handle.sync();
    await renameFile(temporary, target);
    await syncDirectory(path.dirname(target));
  });
}

/** Errors where this user may not open or sync a directory, or the system cannot. */
const UNSUPPORTED_CODES = ['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF'];

/** Makes a rename survive a power failure. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    await using handle = await open(directory);
    await handle.sync();
  } catch (error) {
    if (!hasCode(error, ...UNSUPPORTED_CODES)) throw error;
  }
}

async function describeErrors<Result>(filePath: string, code: ErrorCode, act: () => Promise<Result>) {
  try {
    return await act();
  } catch (error) {
    const problem = code === 'output-failed' ? 'could not be written' : 'cannot be written';
    throw errorWithReason(code, msg`${flag('out', filePath)} ${problem}`, error, hintFor(error));
  }
}

function hintFor(error: unknown): string {
  const specificHint = error instanceof GobonnieError ? error.hint : pathIndependentHint(error);
  if (specificHint !== null) return specificHint;
  if (hasCode(error, 'ENOENT')) return 'pass a path in an existing directory';
  if (hasCode(error, 'ENOSPC', 'EDQUOT'))
    return 'free some space there, or pass a path on another filesystem';
  return 'pass the path of a file that you can write to';
}
