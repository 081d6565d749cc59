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
  /** Whether text is appended to it. */
  readonly isAppended: boolean;
  /** What follows the text. */
  readonly footer: string;
}

type Renderer = (format: Format) => string;

/** Each of the first runs is written at once, however long it takes. */
const UNTHROTTLED_RUNS = 10;
/** From then on, a rewrite that took a second is followed by ten without one: it costs more with every run. */
const PAUSE_FACTOR = 10;

/**
 * The files of --out. Files of events grow with every event, unless `appendsEvents` is false; the others are replaced as a whole, so
 * that a killed process leaves an earlier report.
 */
export class ReportFiles {
  readonly #files: readonly ReportFile[];
  /** Written next: a whole text, or text to append. */
  #pending = new Map<ReportFile, string>();
  /** Whether files of events are synced next. */
  #isSyncDue = false;
  #runs = 0;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  /** By performance.now(). */
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
   * Called after each run. Rewriting the files after every one of many runs would take time that grows with the square of
   * their number.
   */
  update(render: Renderer): void {
    this.#runs += 1;
    if (this.#runs <= UNTHROTTLED_RUNS || performance.now() >= this.#pauseUntilMs) this.write(render);
    else this.#syncEvents();
  }

  /** Rewrites the files. An earlier text that has not been written yet is dropped. */
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
    const [pending, isSyncDue] = [this.#pending, this.#isSyncDue];
    this.#pending = new Map();
    this.#isSyncDue = false;
    const writes = [...pending].map(([{ file, isAppended }, text]) =>
      isAppended ? file.append(text, isSyncDue) : file.write(text),
    );
    // All are written even if one fails.
    for (const result of await Promise.allSettled(writes))
      if (result.status === 'rejected') throw result.reason;
  }
}

/** The picture that was written beside a Markdown file. */
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

/** The longest known extension decides; throws if there is none. */
export function selectByExtension<Name>(names: Readonly<Record<string, Name>>, filePath: string): Name {
  const name = path.basename(filePath).toLowerCase();
  const [found] = Object.entries(names)
    .filter(([extension]) => name.endsWith(extension))
    .toSorted(([one], [other]) => other.length - one.length);
  // `.json` is a name without an extension.
  if (found && found[0] !== name) return found[1];
  const known = Object.keys(names);
  throw new GobonnieError(
    'option-invalid',
    msg`${flag('out', filePath)} has no known extension`,
    `use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
  );
}
