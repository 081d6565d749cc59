import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { DirectoryHandle } from '../../scratch/safe-path/directory-handle.js';
import { hasCode, pathIndependentHint, systemReason } from '../../system-error.js';
import { flag, msg } from '../../text/message-template.js';
import { findWindowsNameProblem } from '../../text/windows-name.js';
import { checkCreatable, nullIfMissing, replaceFile } from './replace-file.js';

/** Length of the name's prefix in its temporary file, which leaves room for a suffix even after the longest name. */
const NAME_PREFIX_LENGTH = 32;

const PASS_FILE = 'pass the path of a file';
const PASS_WRITABLE = 'pass the path of a file that you can write to';

/** A file of --out. Readers find the old or the new text, even after a power failure. Writes must not overlap. */
export class OutFile {
  /** The path as the user typed it. */
  readonly path: string;
  readonly #target: string;
  readonly #temporary: string;
  /** Handle for appending. Null before the first `append`. */
  #appendHandle: FileHandle | null = null;
  #isTruncated = false;

  private constructor(filePath: string, target: string) {
    this.path = filePath;
    this.#target = target;
    this.#temporary = temporaryPathFor(target);
  }

  /** Checks that the file can be written, without changing it. Calls `onTemporary` before creating a temporary file. */
  static async open(filePath: string, onTemporary: (temporary: string) => void = () => {}): Promise<OutFile> {
    const file = new OutFile(filePath, await resolveTarget(filePath));
    onTemporary(file.#temporary);
    await rejectUnless(filePath, 'is in a directory where no file can be created', PASS_WRITABLE, () =>
      withParentDirectory(file.#temporary, ({ root }, name) => checkCreatable(path.join(root, name))),
    );
    return file;
  }

  /** Checks the path as far as possible without creating a file. */
  static async validate(filePath: string): Promise<void> {
    await resolveTarget(filePath);
  }

  /** Replaces the whole file. */
  write(text: string): Promise<void> {
    return this.#wrapErrors(async () => {
      const file = await this.#replace(text);
      await file.close();
    });
  }

  /** Replaces the file with the first text, then appends. With `sync`, the text survives a power failure. */
  append(text: string, sync = false): Promise<void> {
    return this.#wrapErrors(async () => {
      // Never append after an incomplete line.
      if (this.#isTruncated) return;
      this.#isTruncated = true;
      if (this.#appendHandle) await this.#appendHandle.writeFile(text);
      else this.#appendHandle = await this.#replace(text);
      if (sync) await this.#appendHandle.datasync();
      this.#isTruncated = false;
    });
  }

  async close(): Promise<void> {
    await this.#appendHandle?.close();
    this.#appendHandle = null;
  }

  async #wrapErrors(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const isFull = hasCode(error, 'ENOSPC', 'EDQUOT');
      throw new GobonnieError(
        'output-failed',
        msg`${flag('out', this.path)} could not be written: ${systemReason(error)}`,
        pathIndependentHint(error) ??
          (isFull ? 'free some space there, or pass a path on another filesystem' : 'pass a path elsewhere'),
        { cause: error },
      );
    }
  }

  /** Opens the directory again, and rejects a link that another user could have planted. */
  #replace(text: string): Promise<FileHandle> {
    return withParentDirectory(this.#target, ({ root }, name) =>
      replaceFile(path.join(root, name), path.join(root, path.basename(this.#temporary)), text),
    );
  }
}

/** Returns the path of the file with every link resolved. */
async function resolveTarget(filePath: string): Promise<string> {
  const problem = process.platform === 'win32' ? findWindowsNameProblem(filePath) : null;
  if (problem !== null) throw outFileError(filePath, `cannot be used: ${problem}`, 'pass another name');
  const found = await rejectUnless(filePath, 'cannot be used', PASS_WRITABLE, () =>
    nullIfMissing(stat(filePath)),
  );
  if (found) {
    if (!found.isFile()) throw outFileError(filePath, 'is not a regular file', PASS_FILE);
    return rejectUnless(filePath, 'cannot be written to', PASS_WRITABLE, async () => {
      await access(filePath, constants.W_OK);
      return resolveLinks(filePath);
    });
  }
  if (filePath === '' || filePath.endsWith(path.sep))
    throw outFileError(filePath, 'is not a regular file', PASS_FILE);
  if (await rejectUnless(filePath, 'cannot be used', PASS_WRITABLE, () => nullIfMissing(lstat(filePath))))
    throw outFileError(filePath, 'is a link to a missing file', PASS_FILE);
  return rejectUnless(
    filePath,
    'is in a directory that cannot be used',
    'create that directory first, or pass a path in an existing one',
    () => resolveLinks(filePath),
  );
}

/** Used instead of realpath, because another user's link could lead to a file that only this user may replace. */
async function resolveLinks(filePath: string): Promise<string> {
  return withParentDirectory(toAbsolute(filePath, process.cwd()), async (directory, name) => {
    const link = await directory.readLink(name);
    if (link === null) return path.join(directory.resolved, name);
    return resolveLinks(toAbsolute(link, directory.resolved));
  });
}

/** Keeps `..`, which may follow a link. On Windows, `D:file` is relative to the current directory of drive D. */
function toAbsolute(filePath: string, from: string): string {
  if (process.platform === 'win32') return path.resolve(from, filePath);
  return path.isAbsolute(filePath) ? filePath : `${from}/${filePath}`;
}

async function withParentDirectory<Result>(
  file: string,
  action: (directory: DirectoryHandle, name: string) => Promise<Result>,
): Promise<Result> {
  const directory = await DirectoryHandle.open(path.dirname(file));
  return directory.use(() => action(directory, path.basename(file)));
}

function temporaryPathFor(target: string): string {
  const name = path.basename(target).slice(0, NAME_PREFIX_LENGTH);
  return path.join(path.dirname(target), `.${name}.gobonnie-${randomBytes(8).toString('hex')}`);
}

async function rejectUnless<T>(
  filePath: string,
  problem: string,
  hint: string,
  action: () => Promise<T>,
): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const specificHint = error instanceof GobonnieError ? error.hint : pathIndependentHint(error);
    throw outFileError(filePath, `${problem}: ${systemReason(error)}`, specificHint ?? hint, {
      cause: error,
    });
  }
}

function outFileError(
  filePath: string,
  problem: string,
  hint: string,
  options?: ErrorOptions,
): GobonnieError {
  return new GobonnieError('option-invalid', msg`${flag('out', filePath)} ${problem}`, hint, options);
}
