import path from 'node:path';
import { optionError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { formatsByExtension, reportFormats } from '../../format/index.js';
import type { EventRecord } from '../../report/events/event-record.js';
import { flag, msg } from '../../text/message-template.js';
import { type OutFile, openOutFile } from './out-file.js';

type Renderer = (format: Format) => string;

const REPORT_FORMATS: Readonly<Record<string, Format>> = Object.fromEntries(
  Object.entries(formatsByExtension).map(([extension, name]) => [extension, reportFormats[name]]),
);
/** Number of first updates that always rewrite the files, however long it takes. */
const UNTHROTTLED_UPDATES = 10;
/** After these, a rewrite of 1 s is followed by a pause of 10 s, because rewrites take longer with every run. */
const PAUSE_FACTOR = 10;

/**
 * The files of --out. Event files grow with every event if there are any. All other files are replaced as a whole, so a
 * killed process leaves an earlier report.
 */
export class ReportFiles {
  readonly #files: { readonly file: OutFile; readonly format: Format }[] = [];
  #hasEvents = false;
  #updates = 0;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  /** On the clock of performance.now(). */
  #pauseUntilMs = 0;

  onFailure: () => void = () => {};

  static async open(
    paths: readonly string[],
    onTemporary?: (temporary: string) => void,
    formats: Readonly<Record<string, Format>> = REPORT_FORMATS,
  ): Promise<ReportFiles> {
    const files = new ReportFiles();
    for (const filePath of paths) {
      const format = selectByExtension(formats, filePath);
      files.#files.push({ file: await openOutFile(filePath, onTemporary), format });
    }
    return files;
  }

  /**
   * Called after each run. Skips some rewrites: rewriting after every run would take time that grows with the square of
   * the number of runs.
   */
  update(render: Renderer): void {
    this.#updates += 1;
    if (this.#updates <= UNTHROTTLED_UPDATES || performance.now() >= this.#pauseUntilMs) this.write(render);
  }

  write(render: Renderer): void {
    const startMs = performance.now();
    this.#pauseUntilMs = Number.POSITIVE_INFINITY;
    for (const { file, format } of this.#files)
      if (!this.#hasEvents || !format.event) this.#track(file.write(render(format)));
    void this.#writing.then(() => {
      const endMs = performance.now();
      this.#pauseUntilMs = endMs + PAUSE_FACTOR * (endMs - startMs);
    });
  }

  /** Appends an event. The last event of a run syncs the file. */
  appendEvent(record: EventRecord): void {
    const isLast = record.type === 'run-end' || record.type === 'end';
    this.#hasEvents = true;
    for (const { file, format } of this.#files)
      if (format.event) this.#track(file.append(format.event(record), isLast));
  }

  /** Throws if a write failed. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure) throw this.#failure;
  }

  async close(): Promise<void> {
    for (const { file } of this.#files) await file.close();
  }

  #track(write: Promise<void>): void {
    const handled = write.catch((error: unknown) => {
      this.#failure ??= error;
      this.onFailure();
    });
    this.#writing = this.#writing.then(() => handled);
  }
}

/** Finds by the longest known extension. A file named `.json` has none. */
export function findByExtension<Name>(names: Readonly<Record<string, Name>>, filePath: string) {
  const name = path.basename(filePath).toLowerCase();
  const [found] = Object.entries(names)
    .filter(([extension]) => name.endsWith(extension))
    .toSorted(([one], [other]) => other.length - one.length);
  return found && found[0] !== name ? found[1] : undefined;
}

/** Selects by the longest known extension. Throws if the extension is unknown. */
export function selectByExtension<Name>(names: Readonly<Record<string, Name>>, filePath: string): Name {
  const found = findByExtension(names, filePath);
  if (found !== undefined) return found;
  const known = Object.keys(names);
  throw optionError(
    msg`${flag('out', filePath)} has no known extension`,
    `use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
  );
}
