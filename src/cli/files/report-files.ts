import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { type FormatName, formats, formatsByExtension, renderReport } from '../../format/index.js';
import type { EventRecord } from '../../report/events/event-record.js';
import type { Report } from '../../report/schema/report.js';
import { shown } from '../../text/escape.js';
import { OutFile } from './out-file.js';

interface ReportFile {
  readonly file: OutFile;
  readonly format: Format;
  /** By what is added to it: it is never written as a whole. */
  readonly grows: boolean;
}

/**
 * The files of --out. Most are rewritten as a whole after every run, so that not even a kill loses a complete one. Those
 * of events grow as something happens, so that it loses nothing; without `grow` they are rewritten, too: of several
 * reports they are one after the other.
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

  /** Takes the report as it is now, and writes it meanwhile. */
  rewrite(report: Report): void {
    this.replace((format) => renderReport(format, report));
  }

  /**
   * Takes what there is now in every format. What still waits for the last to be written gives way to it: runs may be
   * shorter than a write.
   */
  replace(render: (format: Format) => string): void {
    for (const one of this.#files)
      this.#waiting.set(one, one.grows ? (this.#waiting.get(one) ?? '') : render(one.format));
    this.#isDue = true;
    this.#write();
  }

  /** Adds to the files of events what has happened. */
  add(record: EventRecord): void {
    for (const one of this.#files) {
      const text = one.grows && one.format.event?.(record);
      if (text) this.#waiting.set(one, (this.#waiting.get(one) ?? '') + text);
    }
    if (this.#waiting.size > 0) this.#write();
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
    `--out ${shown(given)} ends in no known format`,
    `let its name end in ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
  );
}
