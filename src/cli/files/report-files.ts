import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { type FormatName, formats, formatsByExtension } from '../../format/index.js';
import type { EventRecord } from '../../report/events/event-record.js';
import { flag, sentence } from '../../text/sentence.js';
import { OutFile } from './out-file.js';

interface ReportFile {
  readonly file: OutFile;
  readonly format: Format;
  /** By what is added to it: it is never written as a whole. */
  readonly grows: boolean;
}

type Render = (format: Format) => string;

/** A rewrite costs more with every run. After one that took a second the next one waits for ten. */
const REST = 10;

/**
 * The files of --out. Files of events grow as something happens, unless `grow` is false; all others are rewritten as a
 * whole, in one step, so that after a kill there is the report of an earlier moment.
 */
export class ReportFiles {
  readonly #files: readonly ReportFile[];
  /** The whole text of a file, or what is to be added to it. */
  #waiting = new Map<ReportFile, string>();
  #isAwaited = false;
  /** Whether what waits is to be on the disk before anything else. */
  #isDue = false;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  /** When the files may be updated again, by performance.now(). */
  #restUntilMs = 0;

  private constructor(files: readonly ReportFile[]) {
    this.#files = files;
  }

  /** Called when a file can no longer be written, while the benchmark goes on. */
  onFailure: () => void = () => {};

  static async open(
    paths: readonly string[],
    onTemporary?: (temporary: string) => void,
    { grow = true } = {},
  ): Promise<ReportFiles> {
    const names = paths.map(formatNameOf);
    const files: ReportFile[] = [];
    for (const [index, name] of names.entries()) {
      const file = await OutFile.open(paths[index] ?? '', onTemporary);
      const format = formats[name];
      files.push({ file, format, grows: grow && format.event !== undefined });
    }
    return new ReportFiles(files);
  }

  /**
   * After a run: rewrites the files, unless that took a good part of the time since the last one. Otherwise the cost
   * would grow with the square of the runs.
   */
  update(render: Render): void {
    if (performance.now() >= this.#restUntilMs) this.write(render);
    else this.#syncEvents();
  }

  /** Rewrites the files. What still waits to be written gives way to it. */
  write(render: Render): void {
    const startMs = performance.now();
    this.#restUntilMs = Number.POSITIVE_INFINITY;
    for (const one of this.#files) {
      if (!one.grows) this.#waiting.set(one, render(one.format));
    }
    this.#syncEvents();
    void this.#writing.then(() => {
      const endMs = performance.now();
      this.#restUntilMs = endMs + REST * (endMs - startMs);
    });
  }

  /** Adds to the files of events what has happened. */
  add(record: EventRecord): void {
    for (const one of this.#files) {
      const text = one.grows && one.format.event?.(record);
      if (text) this.#wait(one, text);
    }
    if (this.#waiting.size > 0) this.#write();
  }

  /** Writes what waits, and has what was added to files of events so far on the disk. */
  #syncEvents(): void {
    for (const one of this.#files) if (one.grows) this.#wait(one, '');
    this.#isDue = true;
    this.#write();
  }

  #wait(one: ReportFile, more: string): void {
    this.#waiting.set(one, (this.#waiting.get(one) ?? '') + more);
  }

  /** Throws when any of it could not be written. */
  async written(): Promise<void> {
    await this.#writing;
    if (this.#failure) throw this.#failure;
  }

  /** When all is written. */
  async close(): Promise<void> {
    await this.#writing;
    for (const { file } of this.#files) await file.close();
  }

  #write(): void {
    if (this.#isAwaited) return;
    this.#isAwaited = true;
    this.#writing = this.#writing
      .then(() => this.#writeWaiting())
      .catch((error: unknown) => {
        this.#failure ??= error;
        this.onFailure();
      });
  }

  async #writeWaiting(): Promise<void> {
    const [waiting, isDue] = [this.#waiting, this.#isDue];
    this.#waiting = new Map();
    this.#isAwaited = false;
    this.#isDue = false;
    const writes = [...waiting].map(([{ file, grows }, text]) =>
      grows ? file.append(text, { isDue }) : file.write(text),
    );
    // One that fails is no reason to lose the others.
    for (const result of await Promise.allSettled(writes))
      if (result.status === 'rejected') throw result.reason;
  }
}

/** By how its name ends; throws where that says nothing. */
export function formatNameOf(given: string): FormatName {
  const name = path.basename(given).toLowerCase();
  const [found] = Object.entries(formatsByExtension)
    .filter(([extension]) => name.endsWith(extension))
    .toSorted(([one], [other]) => other.length - one.length);
  // What is nothing but an extension is a name without one.
  if (found && found[0] !== name) return found[1];
  const known = Object.keys(formatsByExtension);
  throw new GobonnieError(
    'option-invalid',
    sentence`${flag('out', given)} has no known extension`,
    `use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
  );
}
