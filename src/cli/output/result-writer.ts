import type { Baseline, Format } from '../../format/format.js';
import { renderEnd, renderReport } from '../../format/index.js';
import type { RunEvent } from '../../report/events/event-record.js';
import { toEventRecord } from '../../report/events/recording.js';
import type { Report } from '../../report/schema/report.js';
import type { ReportFiles } from '../files/report-files.js';
import type { Terminal } from './terminal.js';

/** Writes an event of a run. Pass `baseline` with the `end` event if the report was compared. */
export type WriteResult = (event: RunEvent, baseline?: Baseline) => void;

/** Returns a function that writes events to stdout and to the files of --out, in their formats. */
export function createResultWriter(
  formats: readonly Format[],
  terminal: Pick<Terminal, 'print'>,
  files: ReportFiles,
): WriteResult {
  /** The report before the first measurement. */
  let start: Report | null = null;
  const render = (event: RunEvent, format: Format, baseline?: Baseline) => {
    if (event.type === 'step-end') return start && format.step?.(event.measurement, start);
    if (event.type === 'run-end') return format.run?.(event.report, event.result);
    return event.type === 'end' ? renderEnd(format, event.report, baseline) : '';
  };
  return (event, baseline) => {
    const record = toEventRecord(event, new Date());
    if (event.type === 'start') start = event.report;
    for (const format of formats)
      terminal.print((format.event?.(record) ?? '') + (render(event, format, baseline) ?? ''));
    files.appendEvent(record);
    if (event.type === 'end') files.write((format) => renderReport(format, event.report, baseline));
    const isUpdate = event.type === 'run-end' || event.type === 'step-end';
    const report = isUpdate ? event.report : undefined;
    if (report) files.update((format) => renderReport(format, report));
  };
}
