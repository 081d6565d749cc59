import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, open, realpath, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { NO_FOLLOW } from '../../workers/protocol.js';
import { GobonnieError, shown, systemReason } from '../errors.js';

const MAKE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | NO_FOLLOW;
/** What of a file's name is in that of its temporary file, so that a name as long as may be leaves room for the rest. */
const NAME_LENGTH = 32;
const PERMISSIONS = 0o777;

const PASS_FILE = 'pass the path of a file';
const PASS_WRITABLE = 'pass the path of a file that you can write to';

/** One report file. Whoever reads it, and whenever the power fails, finds one whole report or the next. */
export class OutFile {
  /** As the user gave it. */
  readonly path: string;
  readonly #target: string;
  /** What becomes the file, beside it: only within one filesystem a rename is atomic. Here for the moment of a write. */
  readonly #temporary: string;
  #previous: Promise<void> = Promise.resolve();

  private constructor(given: string, target: string) {
    this.path = given;
    this.#target = target;
    this.#temporary = temporaryBeside(target);
  }

  /**
   * Proves that the file can be written, and leaves what is there as it is. `onTemporary` is told what may be there for
   * the moment of a write, before it is.
   */
  static async open(given: string, onTemporary: (temporary: string) => void = () => {}): Promise<OutFile> {
    const file = new OutFile(given, await targetOf(given));
    onTemporary(file.#temporary);
    await refuseUnless(given, 'is in a directory that takes no new file', PASS_WRITABLE, async () => {
      const handle = await open(file.#temporary, MAKE, 0o600);
      // Removed first, so that a close that fails leaves nothing.
      try {
        await unlink(file.#temporary);
      } finally {
        await handle.close();
      }
    });
    return file;
  }

  /** Replaces the whole file, after the writes that were asked for before. */
  async write(text: string): Promise<void> {
    const written = this.#previous.then(() => replace(this.#target, this.#temporary, text));
    this.#previous = written.catch(() => {});
    try {
      await written;
    } catch (cause) {
      const error = cause as NodeJS.ErrnoException;
      const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
      throw new GobonnieError(
        'output-failed',
        `--out ${shown(this.path)} could not be written: ${systemReason(error)}`,
        isFull ? 'free some space there, or pass a path on another filesystem' : 'pass a path elsewhere',
        { cause },
      );
    }
  }
}

/** Where the file is or will be, with every link on the way to it resolved. */
async function targetOf(given: string): Promise<string> {
  const found = await refuseUnless(given, 'cannot be used', PASS_WRITABLE, () => unlessMissing(stat(given)));
  if (found) {
    if (!found.isFile()) throw refusal(given, 'is not a regular file', PASS_FILE);
    return refuseUnless(given, 'cannot be written to', PASS_WRITABLE, async () => {
      await access(given, constants.W_OK);
      return realpath(given);
    });
  }
  if (given === '' || given.endsWith(path.sep)) throw refusal(given, 'is not a regular file', PASS_FILE);
  if (await refuseUnless(given, 'cannot be used', PASS_WRITABLE, () => unlessMissing(lstat(given))))
    throw refusal(given, 'is a link to a file that is not there', PASS_FILE);
  const directory = await refuseUnless(
    given,
    'is in a directory that cannot be used',
    'pass a path in a directory that exists',
    () => realpath(path.dirname(given)),
  );
  return path.join(directory, path.basename(given));
}

async function replace(target: string, temporary: string, text: string): Promise<void> {
  const replaced = await unlessMissing(lstat(target));
  const handle = await open(temporary, MAKE, replaced ? 0o600 : 0o666);
  try {
    try {
      await handle.writeFile(text);
      if (replaced) await takeOver(handle, replaced);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
  await syncDirectory(path.dirname(target));
}

/** The report of a user who measures as root stays that user's. Nobody else may give a file away. */
async function takeOver(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode & PERMISSIONS);
}

/** What a system says that does not let a directory be opened or synced, or not this one by this user. */
const REFUSALS = ['EACCES', 'EPERM', 'EISDIR', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EBADF'];

/** The file itself is whole by now. What is more than a refusal means that its name may be lost with the power. */
async function syncDirectory(directory: string): Promise<void> {
  try {
    const handle = await open(directory, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!REFUSALS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

function temporaryBeside(target: string): string {
  const name = path.basename(target).slice(0, NAME_LENGTH);
  return path.join(path.dirname(target), `.${name}.gobonnie-${randomBytes(8).toString('hex')}`);
}

async function unlessMissing(look: Promise<Stats>): Promise<Stats | null> {
  return look.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

async function refuseUnless<T>(
  given: string,
  what: string,
  hint: string,
  works: () => Promise<T>,
): Promise<T> {
  try {
    return await works();
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException;
    throw refusal(given, `${what}: ${systemReason(error)}`, hint, { cause });
  }
}

function refusal(given: string, what: string, hint: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('option-invalid', `--out ${shown(given)} ${what}`, hint, options);
}
