import path from 'node:path';
import { GobonnieError, shown } from '../errors.js';
import type { Format } from '../format/format.js';
import { formatsByExtension } from '../format/index.js';
import type { Report } from '../report/report.js';
import { OutFile } from './out-file.js';

interface ReportFile {
  readonly file: OutFile;
  readonly format: Format;
}

interface Waiting {
  readonly file: OutFile;
  readonly text: string;
}

/** The files of --out: rewritten as a whole after every run, so that not even a kill loses a complete one. */
export class ReportFiles {
  readonly #files: readonly ReportFile[];
  #waiting: readonly Waiting[] | null = null;
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
  ): Promise<ReportFiles> {
    const formats = paths.map(formatOf);
    const files: ReportFile[] = [];
    for (const [index, format] of formats.entries())
      files.push({ file: await OutFile.open(paths[index] ?? '', onTemporary), format });
    return new ReportFiles(files);
  }

  /**
   * Takes the report as it is now, and writes it meanwhile. One that still waits for the last to be written gives way
   * to it: runs may be shorter than a write.
   */
  rewrite(report: Report): void {
    const isAwaited = this.#waiting !== null;
    this.#waiting = this.#files.map(({ file, format }) => ({ file, text: format.end?.(report) ?? '' }));
    if (isAwaited) return;
    this.#writing = this.#writing
      .then(() => this.#writeWaiting())
      .catch((error: unknown) => {
        this.#failure ??= error;
        this.onFailure();
      });
  }

  /** Throws when any of it could not be written. */
  async written(): Promise<void> {
    await this.#writing;
    if (this.#failure) throw this.#failure;
  }

  async #writeWaiting(): Promise<void> {
    const texts = this.#waiting ?? [];
    this.#waiting = null;
    // One that fails is no reason to lose the others.
    const written = await Promise.allSettled(texts.map(({ file, text }) => file.write(text)));
    for (const result of written) if (result.status === 'rejected') throw result.reason;
  }
}

/** By the extension of its name; throws where that says nothing. */
export function formatOf(given: string): Format {
  const extension = path.extname(given).toLowerCase();
  const format = formatsByExtension[extension];
  if (format) return format;
  throw new GobonnieError(
    'option-invalid',
    `--out ${shown(given)} ends in no known format`,
    `let its name end in ${Object.keys(formatsByExtension).join(' or ')}`,
  );
}
