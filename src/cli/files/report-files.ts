import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { type FormatName, formatsByExtension, reportFormats } from '../../format/index.js';
import type { EventRecord } from '../../report/events/event-record.js';
import { flag, msg } from '../../text/message-template.js';
import { OutFile } from './out-file.js';

interface ReportFile {
  readonly file: OutFile;
  readonly format: Format;
  /** True to append events, false to rewrite the file. */
  readonly isAppended: boolean;
  /** Text at the end of the file. */
  readonly footer: string;
}

type Renderer = (format: Format) => string;

/** Number of first runs after which the files are always rewritten, however long it takes. */
const UNTHROTTLED_RUNS = 10;
/** After these runs, a rewrite of 1 s is followed by a pause of 10 s, because rewrites take longer with every run. */
const PAUSE_FACTOR = 10;

/**
 * The files of --out. Event files grow with every event, unless `appendsEvents` is false. All other files are replaced
 * as a whole, so a killed process leaves an earlier report.
 */
export class ReportFiles {
  readonly #files: readonly ReportFile[];
  /** The next text per file: its whole content, or text to append. */
  #pending = new Map<ReportFile, string>();
  /** True if the next write must sync the event files. */
  #isSyncDue = false;
  #runs = 0;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  /** On the clock of performance.now(). */
  #pauseUntilMs = 0;

  private constructor(files: readonly ReportFile[]) {
    this.#files = files;
  }

  /** Called when a write fails. */
  onFailure: () => void = () => {};

  static async open(
    paths: readonly string[],
    onTemporary?: (temporary: string) => void,
    appendsEvents = true,
  ): Promise<ReportFiles> {
    const files: ReportFile[] = [];
    const picture = paths.find((filePath) => formatNameFromPath(filePath) === 'svg');
    for (const filePath of paths) {
      const name = formatNameFromPath(filePath);
      const format: Format = reportFormats[name];
      const file = await OutFile.open(filePath, onTemporary);
      const footer = name === 'markdown' && picture ? pictureLine(picture, filePath) : '';
      files.push({ file, format, isAppended: appendsEvents && format.event !== undefined, footer });
    }
    return new ReportFiles(files);
  }

  /**
   * Called after each run. Skips some rewrites: rewriting after every run would take time that grows with the square of
   * the number of runs.
   */
  update(render: Renderer): void {
    this.#runs += 1;
    if (this.#runs <= UNTHROTTLED_RUNS || performance.now() >= this.#pauseUntilMs) this.write(render);
    else this.#syncEvents();
  }

  /** Rewrites the files. Drops earlier text that has not been written yet. */
  write(render: Renderer): void {
    const startMs = performance.now();
    this.#pauseUntilMs = Number.POSITIVE_INFINITY;
    for (const reportFile of this.#files) {
      if (!reportFile.isAppended)
        this.#pending.set(reportFile, render(reportFile.format) + reportFile.footer);
    }
    this.#syncEvents();
    void this.#writing.then(() => {
      const endMs = performance.now();
      this.#pauseUntilMs = endMs + PAUSE_FACTOR * (endMs - startMs);
    });
  }

  /** Appends an event. */
  appendEvent(record: EventRecord): void {
    for (const reportFile of this.#files) {
      const text = reportFile.isAppended && reportFile.format.event?.(record);
      if (text) this.#enqueue(reportFile, text);
    }
    if (this.#pending.size > 0) this.#write();
  }

  #syncEvents(): void {
    for (const reportFile of this.#files) if (reportFile.isAppended) this.#enqueue(reportFile, '');
    this.#isSyncDue = true;
    this.#write();
  }

  #enqueue(reportFile: ReportFile, text: string): void {
    this.#pending.set(reportFile, (this.#pending.get(reportFile) ?? '') + text);
  }

  /** Throws if a write failed. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#failure) throw this.#failure;
  }

  async close(): Promise<void> {
    await this.#writing;
    for (const { file } of this.#files) await file.close();
  }

  #write(): void {
    this.#writing = this.#writing
      .then(() => this.#writePending())
      .catch((error: unknown) => {
        this.#failure ??= error;
        this.onFailure();
      });
  }

  async #writePending(): Promise<void> {
    const pending = this.#pending;
    const isSyncDue = this.#isSyncDue;
    this.#pending = new Map();
    this.#isSyncDue = false;
    const writes = [...pending].map(([{ file, isAppended }, text]) =>
      isAppended ? file.append(text, isSyncDue) : file.write(text),
    );
    // Write all files even if one fails.
    for (const result of await Promise.allSettled(writes))
      if (result.status === 'rejected') throw result.reason;
  }
}

/** Returns Markdown that shows the picture of another --out file. */
function pictureLine(picture: string, markdown: string): string {
  const link = path
    .relative(path.dirname(markdown), picture)
    .split(path.sep)
    .map(encodeURIComponent)
    .join('/');
  return `\n![Each result over time](<${link}>)\n`;
}

export function formatNameFromPath(filePath: string): FormatName {
  return selectByExtension(formatsByExtension, filePath);
}

/** Selects by the longest known extension. Throws if the extension is unknown. */
export function selectByExtension<Name>(names: Readonly<Record<string, Name>>, filePath: string): Name {
  const name = path.basename(filePath).toLowerCase();
  const [found] = Object.entries(names)
    .filter(([extension]) => name.endsWith(extension))
    .toSorted(([one], [other]) => other.length - one.length);
  // A file named `.json` has no extension.
  if (found && found[0] !== name) return found[1];
  const known = Object.keys(names);
  throw new GobonnieError(
    'option-invalid',
    msg`${flag('out', filePath)} has no known extension`,
    `use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
  );
}
