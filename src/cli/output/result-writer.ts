import type { Baseline, Format } from '../../format/format.js';
import { renderEnd, renderReport } from '../../format/index.js';
import type { RunEvent } from '../../report/events/event-record.js';
import { toEventRecord } from '../../report/events/recording.js';
import type { Report } from '../../report/schema/report.js';
import type { ReportFiles } from '../files/report-files.js';
import type { Terminal } from './terminal.js';

/** Writes the events of a run to stdout and to the files of --out, in their formats. */
export class ResultWriter {
  readonly #formats: readonly Format[];
  readonly #terminal: Terminal;
  readonly #files: ReportFiles;
  /** The report before the first measurement. */
  #start: Report | null = null;

  constructor(formats: readonly Format[], terminal: Terminal, files: ReportFiles) {
    this.#formats = formats;
    this.#terminal = terminal;
    this.#files = files;
  }

  /** Writes an event. Pass `baseline` with the `end` event if the report was compared. */
  write(event: RunEvent, baseline?: Baseline): void {
    const record = toEventRecord(event, new Date());
    if (event.type === 'start') this.#start = event.report;
    for (const format of this.#formats)
      this.#terminal.print((format.event?.(record) ?? '') + this.#render(event, format, baseline));
    this.#files.appendEvent(record);
    if (event.type === 'end') this.#files.write((format) => renderReport(format, event.report, baseline));
    const isUpdate = event.type === 'run-end' || event.type === 'step-end';
    const report = isUpdate ? event.report : undefined;
    if (report) this.#files.update((format) => renderReport(format, report));
  }

  #render(event: RunEvent, format: Format, baseline?: Baseline): string {
    switch (event.type) {
      case 'step-end':
        return (this.#start && format.step?.(event.measurement, this.#start)) ?? '';
      case 'run-end':
        return format.run?.(event.report, event.result) ?? '';
      case 'end':
        return renderEnd(format, event.report, baseline);
      default:
        return '';
    }
  }
}
