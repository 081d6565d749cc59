import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, lstat, open, readlink, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { type ErrorCode, GobonnieError } from '../../errors.js';
import {
  createFile,
  createOwnFile,
  isOwnedByUsOrRoot,
  removeFile,
  renameFile,
} from '../../scratch/own-files.js';
import { errorWithReason, hasCode, nullIfMissing, pathIndependentHint } from '../../system-error.js';
import { display } from '../../text/escape.js';
import { flag, msg } from '../../text/message-template.js';
import { findWindowsNameProblem } from '../../text/windows-name.js';

/** Length of the name's prefix in its temporary file, which leaves room for a suffix even after the longest name. */
const NAME_PREFIX_LENGTH = 32;
const PERMISSIONS = 0o777;

export type OutFile = Awaited<ReturnType<typeof openOutFile>>;

/**
 * Opens a file of --out. Readers find the old or the new text, even after a power failure. Writes happen one after
 * another. Checks that the file can be written, without changing it. Calls `onTemporary` before creating a temporary file.
 */
export async function openOutFile(filePath: string, onTemporary: (temporary: string) => void = () => {}) {
  const target = await validateOutFile(filePath);
  const name = path.basename(target).slice(0, NAME_PREFIX_LENGTH);
  const temporary = path.join(path.dirname(target), `.${name}.gobonnie-${randomBytes(8).toString('hex')}`);
  /** Null before the first `append`. */
  let appendHandle: FileHandle | null = null;
  let lastWrite: Promise<void> = Promise.resolve();
  const writeAfter = (previous: Promise<void>, write: () => Promise<void>) => {
    lastWrite = previous.then(() => describeErrors(filePath, 'output-failed', write));
    return lastWrite;
  };

  onTemporary(temporary);
  await describeErrors(filePath, 'option-invalid', async () => {
    await createOwnFile(temporary);
    await removeFile(temporary);
  });
  return {
    path: filePath,
    /** Replaces the whole file, even if an earlier write failed. */
    write(text: string): Promise<void> {
      const previous = lastWrite.catch(() => {});
      return writeAfter(previous, async () => {
        const handle = await replaceFile(target, temporary, text);
        await handle.close();
      });
    },
    /**
     * Replaces the file with the first text, then appends. Appends nothing after a failure, because the last line may be
     * incomplete. With `sync`, the text survives a power failure.
     */
    append(text: string, sync = false): Promise<void> {
      return writeAfter(lastWrite, async () => {
        if (appendHandle) await appendHandle.writeFile(text);
        else appendHandle = await replaceFile(target, temporary, text);
        if (sync) await appendHandle.datasync();
      });
    },
    async close(): Promise<void> {
      await lastWrite.catch(() => {});
      await appendHandle?.close();
    },
  };
}

/** Checks the path as far as possible without creating a file. Returns the file that its links lead to. */
export function validateOutFile(filePath: string): Promise<string> {
  return describeErrors(filePath, 'option-invalid', () => findTarget(filePath));
}

/** Returns the file that the path or the user's own link leads to. Throws if it is not a file that can be written. */
async function findTarget(filePath: string): Promise<string> {
  const problem = process.platform === 'win32' ? findWindowsNameProblem(filePath) : null;
  if (problem !== null) throw new Error(problem);
  const found = await nullIfMissing(stat(filePath));
  const isFile = found ? found.isFile() : filePath !== '' && !filePath.endsWith(path.sep);
  if (!isFile) throw new Error('it is not a regular file');
  if (found) await access(filePath, constants.W_OK);
  const link = await nullIfMissing(lstat(filePath));
  if (!link?.isSymbolicLink()) {
    await stat(path.dirname(filePath));
    return path.resolve(filePath);
  }
  // It could lead to a file that only this user may replace.
  if (!isOwnedByUsOrRoot(link))
    throw new GobonnieError(
      'directory-unusable',
      `${display(filePath)} is a link that another user has created`,
      'pass the path that it points to',
    );
  if (found) return realpath(filePath);
  const target = await readlink(filePath);
  const missing = path.isAbsolute(target) ? target : `${path.dirname(filePath)}/${target}`;
  await stat(path.dirname(missing));
  return path.join(await realpath(path.dirname(missing)), path.basename(missing));
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
