import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import type { Format } from '../../format/format.js';
import { type FormatName, reportFormats, formatsByExtension } from '../../format/index.js';
import type { EventRecord } from '../../report/events/event-record.js';
import { flag, msg } from '../../text/sentence.js';
import { OutFile } from './out-file.js';

interface ReportFile {
  readonly file: OutFile;
  readonly format: Format;
  /** Whether text is appended to it. */
  readonly grows: boolean;
  /** What follows the text. */
  readonly foot: string;
}

type Render = (format: Format) => string;

/** Each of the first runs is written at once, however long it takes. */
const FIRST_RUNS = 10;
/** From then on, a rewrite that took a second is followed by ten without one: it costs more with every run. */
const REST = 10;

/**
 * The files of --out. Files of events grow with every event, unless `grow` is false; the others are replaced as a whole, so
 * that a killed process leaves an earlier report.
 */
export class ReportFiles {
  readonly #files: readonly ReportFile[];
  /** Written next: a whole text, or text to append. */
  #waiting = new Map<ReportFile, string>();
  /** Whether files of events are synced next. */
  #isSyncDue = false;
  #runs = 0;
  #writing: Promise<void> = Promise.resolve();
  #failure: unknown = null;
  /** By performance.now(). */
  #restUntilMs = 0;

  private constructor(files: readonly ReportFile[]) {
    this.#files = files;
  }

  /** Called when a write fails. */
  onFailure: () => void = () => {};

  static async open(
    paths: readonly string[],
    onTemporary?: (temporary: string) => void,
    grow = true,
  ): Promise<ReportFiles> {
    const files: ReportFile[] = [];
    const picture = paths.find((given) => formatNameOf(given) === 'svg');
    for (const given of paths) {
      const name = formatNameOf(given);
      const format: Format = reportFormats[name];
      const file = await OutFile.open(given, onTemporary);
      const foot = name === 'markdown' && picture ? pictureLine(picture, given) : '';
      files.push({ file, format, grows: grow && format.event !== undefined, foot });
    }
    return new ReportFiles(files);
  }

  /**
   * Called after each run. Rewriting the files after every one of many runs would take time that grows with the square of
   * their number.
   */
  update(render: Render): void {
    this.#runs += 1;
    if (this.#runs <= FIRST_RUNS || performance.now() >= this.#restUntilMs) this.write(render);
    else this.#syncEvents();
  }

  /** Rewrites the files. An earlier text that has not been written yet is dropped. */
  write(render: Render): void {
    const startMs = performance.now();
    this.#restUntilMs = Number.POSITIVE_INFINITY;
    for (const one of this.#files) {
      if (!one.grows) this.#waiting.set(one, render(one.format) + one.foot);
    }
    this.#syncEvents();
    void this.#writing.then(() => {
      const endMs = performance.now();
      this.#restUntilMs = endMs + REST * (endMs - startMs);
    });
  }

  /** Appends an event. */
  add(record: EventRecord): void {
    for (const one of this.#files) {
      const text = one.grows && one.format.event?.(record);
      if (text) this.#wait(one, text);
    }
    if (this.#waiting.size > 0) this.#write();
  }

  #syncEvents(): void {
    for (const one of this.#files) if (one.grows) this.#wait(one, '');
    this.#isSyncDue = true;
    this.#write();
  }

  #wait(one: ReportFile, more: string): void {
    this.#waiting.set(one, (this.#waiting.get(one) ?? '') + more);
  }

  /** Throws if a write failed. */
  async written(): Promise<void> {
    await this.#writing;
    if (this.#failure) throw this.#failure;
  }

  async close(): Promise<void> {
    await this.#writing;
    for (const { file } of this.#files) await file.close();
  }

  #write(): void {
    this.#writing = this.#writing
      .then(() => this.#writeWaiting())
      .catch((error: unknown) => {
        this.#failure ??= error;
        this.onFailure();
      });
  }

  async #writeWaiting(): Promise<void> {
    const [waiting, isSyncDue] = [this.#waiting, this.#isSyncDue];
    this.#waiting = new Map();
    this.#isSyncDue = false;
    const writes = [...waiting].map(([{ file, grows }, text]) =>
      grows ? file.append(text, isSyncDue) : file.write(text),
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
  return `\n![Each figure with its course over time](<${link}>)\n`;
}

export function formatNameOf(given: string): FormatName {
  return byExtension(formatsByExtension, given);
}

/** The longest known extension decides; throws if there is none. */
export function byExtension<Name>(names: Readonly<Record<string, Name>>, given: string): Name {
  const name = path.basename(given).toLowerCase();
  const [found] = Object.entries(names)
    .filter(([extension]) => name.endsWith(extension))
    .toSorted(([one], [other]) => other.length - one.length);
  // `.json` is a name without an extension.
  if (found && found[0] !== name) return found[1];
  const known = Object.keys(names);
  throw new GobonnieError(
    'option-invalid',
    msg`${flag('out', given)} has no known extension`,
    `use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}`,
  );
}
