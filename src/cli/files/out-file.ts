import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { DirectoryHandle } from '../../scratch/safe-path/directory-handle.js';
import { hasCode, pathIndependentHint, systemReason } from '../../system-error.js';
import { flag, msg } from '../../text/sentence.js';
import { findWindowsNameProblem } from '../../text/windows-name.js';
import { nullIfMissing, replaceFile, tryToMake } from './replacement.js';

/** How much of a name its temporary file has, so that the longest name leaves room for the rest. */
const NAME_LENGTH = 32;

const PASS_FILE = 'pass the path of a file';
const PASS_WRITABLE = 'pass the path of a file that you can write to';

/** A file of --out. A reader finds the old or the new text, even after a power failure. One write has to end before the next. */
export class OutFile {
  /** As the user gave it. */
  readonly path: string;
  readonly #target: string;
  readonly #temporary: string;
  /** Open once text has been appended. */
  #growing: FileHandle | null = null;
  #isBroken = false;

  private constructor(given: string, target: string) {
    this.path = given;
    this.#target = target;
    this.#temporary = temporaryBeside(target);
  }

  /** Checks that the file can be written, and changes nothing. `onTemporary` is called before a temporary file is made. */
  static async open(given: string, onTemporary: (temporary: string) => void = () => {}): Promise<OutFile> {
    const file = new OutFile(given, await targetOf(given));
    onTemporary(file.#temporary);
    await refuseUnless(given, 'is in a directory where no file can be made', PASS_WRITABLE, () =>
      inDirectoryOf(file.#temporary, ({ root }, name) => tryToMake(path.join(root, name))),
    );
    return file;
  }

  /** Checks what can be checked without making a file. */
  static async judge(given: string): Promise<void> {
    await targetOf(given);
  }

  /** Replaces the whole file. */
  write(text: string): Promise<void> {
    return this.#written(async () => {
      const file = await this.#replace(text);
      await file.close();
    });
  }

  /** The first text replaces the file, later ones are appended; with `sync` they survive a power failure. */
  append(text: string, sync = false): Promise<void> {
    return this.#written(async () => {
      // Nothing may follow an incomplete line.
      if (this.#isBroken) return;
      this.#isBroken = true;
      if (this.#growing) await this.#growing.writeFile(text);
      else this.#growing = await this.#replace(text);
      if (sync) await this.#growing.datasync();
      this.#isBroken = false;
    });
  }

  async close(): Promise<void> {
    await this.#growing?.close();
    this.#growing = null;
  }

  async #written(work: () => Promise<void>): Promise<void> {
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

  /** Looks the directory up anew, and refuses a link that another user could have put in the way. */
  #replace(text: string): Promise<FileHandle> {
    return inDirectoryOf(this.#target, ({ root }, name) =>
      replaceFile(path.join(root, name), path.join(root, path.basename(this.#temporary)), text),
    );
  }
}

/** The path of the file, every link in it resolved. */
async function targetOf(given: string): Promise<string> {
  const problem = process.platform === 'win32' ? findWindowsNameProblem(given) : null;
  if (problem !== null) throw refusal(given, `cannot be used: ${problem}`, 'pass another name');
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
    throw refusal(given, 'is a link to a missing file', PASS_FILE);
  return refuseUnless(
    given,
    'is in a directory that cannot be used',
    'make that directory first, or pass a path in one that exists',
    () => resolved(given),
  );
}

/** Not by realpath: another user's link could lead to a file that only this user may replace. */
async function resolved(given: string): Promise<string> {
  return inDirectoryOf(absolute(given, process.cwd()), async (directory, name) => {
    const link = await directory.readLink(name);
    if (link === null) return path.join(directory.resolved, name);
    return resolved(absolute(link, directory.resolved));
  });
}

/** Keeps `..`, which may follow a link. On Windows `D:file` is relative to the current directory of that drive. */
function absolute(given: string, from: string): string {
  if (process.platform === 'win32') return path.resolve(from, given);
  return path.isAbsolute(given) ? given : `${from}/${given}`;
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
    const better = error instanceof GobonnieError ? error.hint : pathIndependentHint(error);
    throw refusal(given, `${what}: ${systemReason(error)}`, better ?? hint, { cause: error });
  }
}

function refusal(given: string, what: string, hint: string, options?: ErrorOptions): GobonnieError {
  return new GobonnieError('option-invalid', msg`${flag('out', given)} ${what}`, hint, options);
}
