import type { Baseline, Format } from '../../format/format.js';
import { PLAIN_SCREEN } from '../../format/human/screen.js';
import {
  formatForScreen,
  hiddenStepsNote,
  parseFormatName,
  rejectUnsuitableFormat,
  renderEnd,
  renderReport,
  reportFormats,
} from '../../format/index.js';
import type { RunPlan } from '../../plan/plan.js';
import { type RunEvent, toEventRecord } from '../../report/events/event-record.js';
import type { Report } from '../../report/schema/report.js';
import type { Session } from '../commands/session.js';
import { logFormats } from '../compat/log-formats.js';
import type { Settings } from '../config/settings.js';
import { stallLine } from '../interruption.js';
import type { Verdict } from '../pass-criteria.js';
import type { BenchmarkRequest } from '../request.js';
import { logAudience } from './log-format.js';
import { detectPaint, detectScreen, type Terminal } from './terminal.js';
import { terminalAudience } from './terminal-messages.js';
import type { Audience } from './verdict-lines.js';

/** The formats of stdout and the readers of stderr, as settled before the run. */
type RunOutput = ReturnType<typeof planOutput>;

const { step: _, ...TEXT_MEANS }: Format = reportFormats.text;

/** Decides what to print, and for whom. Rejects a format that cannot show the phases. */
export function planOutput(
  request: BenchmarkRequest,
  { options, cliOptions, isOpenEnded, mostRuns }: Settings,
  { process, isStdoutVisible }: Terminal,
) {
  const { format } = cliOptions;
  const detect = (stream: NodeJS.WriteStream) =>
    request.isInteractive ? detectScreen(stream, process, cliOptions.color) : null;
  const screen = detect(process.stdout);
  const stderrScreen = detect(process.stderr);
  const defaultFormats = screen ? ['table'] : request.formats;
  const ownFormat = format === undefined ? request.createFormat?.(screen ?? PLAIN_SCREEN) : undefined;
  const formatNames = ownFormat
    ? []
    : (format === undefined ? defaultFormats : [format]).map(parseFormatName);
  for (const name of formatNames) rejectUnsuitableFormat(name, options);
  // As many runs as a comparison needs would bury its verdict.
  const isText = !screen && format === undefined && formatNames[0] === 'text';
  const hasOnlyMeans = isText && isOpenEnded && cliOptions.baseline !== undefined;
  const formats: readonly Format[] = ownFormat
    ? [ownFormat]
    : formatNames.map((name) => (hasOnlyMeans ? TEXT_MEANS : formatForScreen(name, screen)));
  const hasEvents = formats.some(({ event }) => event);
  const showsTable = formatNames.includes('table') || (ownFormat !== undefined && screen !== null);
  // Both streams may go to one log, such as a CI log. The log of a gate begins with the verdict.
  const isLog = request.isInteractive === true && !screen && !stderrScreen;
  const hasCriteria = cliOptions.expect.length > 0 || cliOptions.baseline !== undefined;
  const isGate = isLog && hasCriteria && !cliOptions.verbose && !hasEvents;
  const paint = detectPaint(process.stderr, process, cliOptions.color);
  return {
    formats,
    /** Messages about steps that a format does not show. */
    notes: formatNames.flatMap((name) => hiddenStepsNote(name, options)),
    /** True if events are printed on the same screen, which makes a progress line redundant. */
    showsEvents: isStdoutVisible && hasEvents,
    createAudience: (plan: RunPlan): Audience => {
      if (stderrScreen && !cliOptions.quiet)
        return terminalAudience(plan, stderrScreen, showsTable, cliOptions, mostRuns);
      const logFormat = logFormats[cliOptions.quiet ? 'none' : (request.logFormat ?? 'gobonniego')];
      return logAudience(logFormat, cliOptions, paint, stderrScreen, isGate);
    },
  };
}

/** Prints a run: its results on stdout and in the files of --out, and messages on stderr. */
export function createReporter(
  { formats, createAudience }: RunOutput,
  plan: RunPlan,
  { files, updateProgress }: Pick<Session, 'files' | 'updateProgress'>,
  terminal: Terminal,
) {
  const audience = createAudience(plan);
  /** The report before the first measurement. */
  let start: Report | null = null;
  let held = '';
  const log = (lines: readonly string[]) => {
    for (const line of lines) terminal.log(line);
  };
  const render = (event: RunEvent, format: Format, baseline?: Baseline) => {
    if (event.type === 'step-end') return start && format.step?.(event.measurement, start);
    if (event.type === 'sample') return event.recent && format.operations?.(event.recent);
    if (event.type === 'run-end') return format.run?.(event.report, event.result);
    return event.type === 'end' ? renderEnd(format, event.report, baseline) : '';
  };
  const writeResults = (event: RunEvent, baseline?: Baseline) => {
    const record = toEventRecord(event, new Date());
    if (event.type === 'start') start = event.report;
    for (const format of formats) {
      const text = (format.event?.(record) ?? '') + (render(event, format, baseline) ?? '');
      // The lines of operations may come for days.
      if (audience.holdsResults && event.type !== 'sample') held += text;
      else terminal.print(text);
    }
    files.appendEvent(record);
    if (event.type === 'end') files.write((format) => renderReport(format, event.report, baseline));
    const isUpdate = event.type === 'run-end' || event.type === 'step-end' || event.type === 'sample';
    const report = isUpdate ? event.report : undefined;
    if (report) files.update((format) => renderReport(format, report));
  };
  return {
    report(event: RunEvent): void {
      updateProgress?.(event);
      log(audience.forEvent(event));
      if (event.type === 'stall') terminal.log(stallLine(event));
      if (event.type !== 'end') writeResults(event);
    },
    /** Prints the end of the run, which `report` leaves out because its evaluation follows. */
    finish(verdict: Verdict): void {
      writeResults({ type: 'end', report: verdict.report }, verdict.baseline);
      log(audience.beforeResults(verdict));
      terminal.print(held);
      log(audience.afterResults(verdict));
    },
  };
}
