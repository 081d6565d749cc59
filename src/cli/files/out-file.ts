import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { DirectoryHandle } from '../../scratch/safe-path/directory-handle.js';
import { hasCode, hintBeyondPath, systemReason } from '../../system-error.js';
import { flag, sentence } from '../../text/sentence.js';
import { begin, nullIfMissing, replace, tryToMake } from './replacement.js';

/** What of a file's name is in that of its temporary file, so that a name as long as may be leaves room for the rest. */
const NAME_LENGTH = 32;

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
  /** Open from the first text that was added. */
  #growing: FileHandle | null = null;
  #isBroken = false;

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
    await refuseUnless(given, 'is in a directory that takes no new file', PASS_WRITABLE, () =>
      inDirectoryOf(file.#temporary, ({ root }, name) => tryToMake(path.join(root, name))),
    );
    return file;
  }

  /** Refuses what cannot be such a file, as far as that can be seen without touching anything. */
  static async judge(given: string): Promise<void> {
    await targetOf(given);
  }

  /** Replaces the whole file, after the writes that were asked for before. */
  write(text: string): Promise<void> {
    return this.#inTurn(() => this.#atTarget(replace, text));
  }

  /**
   * Adds to what was added before; the first text replaces the file. What is there when the process is killed stays
   * there, and with `isDue` also what was when the power fails.
   */
  append(text: string, { isDue = false } = {}): Promise<void> {
    return this.#inTurn(async () => {
      // After a part of a line no other can follow.
      if (this.#isBroken) return;
      this.#isBroken = true;
      if (this.#growing) await this.#growing.writeFile(text);
      else this.#growing = await this.#atTarget(begin, text);
      if (isDue) await this.#growing.datasync();
      this.#isBroken = false;
    });
  }

  /** After what was added last. */
  async close(): Promise<void> {
    await this.#growing?.close();
    this.#growing = null;
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const written = this.#previous.then(work);
    this.#previous = written.catch(() => {});
    try {
      await written;
    } catch (error) {
      const isFull = hasCode(error, 'ENOSPC', 'EDQUOT');
      throw new GobonnieError(
        'output-failed',
        sentence`${flag('out', this.path)} could not be written: ${systemReason(error)}`,
        hintBeyondPath(error) ??
          (isFull ? 'free some space there, or pass a path on another filesystem' : 'pass a path elsewhere'),
        { cause: error },
      );
    }
  }

  /** In whatever directory that is by now, but not beyond a link that somebody else could have put on the way. */
  #atTarget<Result>(
    put: (target: string, temporary: string, text: string) => Promise<Result>,
    text: string,
  ): Promise<Result> {
    return inDirectoryOf(this.#target, ({ root }, name) =>
      put(path.join(root, name), path.join(root, path.basename(this.#temporary)), text),
    );
  }
}

/** Where the file is or will be, with every link on the way to it resolved. */
async function targetOf(given: string): Promise<string> {
  const found = await refuseUnless(given, 'cannot be used', PASS_WRITABLE, () => nullIfMissing(stat(given)));
  if (found) {
    if (!found.isFile()) throw refusal(given, 'is not a regular file', PASS_FILE);
    return refuseUnless(given, 'cannot be written to', PASS_WRITABLE, async () => {
      await access(given, constants.W_OK);
      return resolved(given);
    });
  }
  if (given === '' || given.endsWith(path.sep)) throw refusal(given, 'is not a regular file', PASS_FILE);
  if (await refuseUnless(given, 'cannot be used', PASS_WRITABLE, () => nullIfMissing(lstat(given))))
    throw refusal(given, 'is a link to a file that is not there', PASS_FILE);
  return refuseUnless(
    given,
    'is in a directory that cannot be used',
    'make that directory first, or pass a path in one that exists',
    () => resolved(given),
  );
}

/** Not by realpath: another user's link could lead to a file that only this one may replace. */
async function resolved(given: string): Promise<string> {
  return inDirectoryOf(
    path.isAbsolute(given) ? given : `${process.cwd()}/${given}`,
    async (directory, name) => {
      const link = await directory.linkAt(name);
      if (link === null) return path.join(directory.resolved, name);
      return resolved(path.isAbsolute(link) ? link : `${directory.resolved}/${link}`);
    },
  );
}

async function inDirectoryOf<Result>(
  file: string,
  act: (directory: DirectoryHandle, name: string) => Promise<Result>,
): Promise<Result> {
  const directory = await DirectoryHandle.open(path.dirname(file));
  return directory.use(() => act(directory, path.basename(file)));
}

function temporaryBeside(target: string): string {
  const name = path.basename(target).slice(0, NAME_LENGTH);
  return path.join(path.dirname(target), `.${name}.gobonnie-${randomBytes(8).toString('hex')}`);
}

async function refuseUnless<T>(
  given: string,
  what: string,
  hint: string,
  works: () => Promise<T>,
): Promise<T> {
  try {
    return await works();
  } catch (error) {
    const way = error instanceof GobonnieError ? error.hint : (hintBeyondPath(error) ?? hint);
    throw refusal(given, `${what}: ${systemReason(error)}`, way, { cause: error });
  }
}

function refusal(given: string, what: string, hint: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('option-invalid', sentence`${flag('out', given)} ${what}`, hint, options);
}
