import { devTable } from '../../format/human/commands/dev-text.js';
import { listTable } from '../../format/human/commands/load-text.js';
import type { Screen } from '../../format/human/screen.js';
import type { RunEvent } from '../../report/events/event-record.js';
import type { Measurement, Report } from '../../report/schema/report.js';
import { MS_PER_SECOND } from '../../text/units.js';
import type { Terminal } from '../output/terminal.js';
import { progressLine } from './line.js';
import { addProgress, EMPTY_HISTORY, IDLE, type RunPosition, updateProgress } from './state.js';

/** Returns the results so far: the workloads of dev, or the table of a list of steps. ping prints each operation instead. */
function liveRows(report: Report, screen: Screen): readonly string[] {
  const command = report.command?.name;
  if (command === 'dev') return devTable(report, screen);
  return report.options.steps && command !== 'ping' ? listTable(report, screen) : [];
}

/**
 * Shows the progress of a run on a terminal, below the results so far. Returns a function that updates the next frame for
 * an event; `position` identifies the run if there are several.
 */
export function showProgress(terminal: Terminal, initialScreen: Screen) {
  let state = IDLE;
  const measurements: Measurement[] = [];
  let report: Report | null = null;
  const line = terminal.showLiveLine((columns) => {
    const screen = { ...initialScreen, columns };
    const text = progressLine(state, screen, performance.now());
    if (text === '' || report === null) return text;
    return [...liveRows(report, screen), text].join('\n');
  });
  return (event: RunEvent, position?: RunPosition) => {
    if (event.type === 'start') {
      const { startedAt } = event.report;
      report = { ...event.report, runs: [{ startedAt, state: 'incomplete', measurements }] };
    }
    if (event.type === 'step-end') measurements.push(event.measurement);
    state = { ...updateProgress(state, event, performance.now()), ...position };
    // Another process may print the results from a pipe on this screen.
    if (event.type === 'end') line.eraseUntilNextFrame();
  };
}

/** Shows the progress of a disk read on a terminal. Each frame samples the bytes that are read so far. */
export function showReadProgress(
  terminal: Terminal,
  screen: Screen,
  totalBytes: number,
  sampleBytes: () => number,
): void {
  const goal = { unit: 'bytes', amount: totalBytes } as const;
  const startMs = performance.now();
  let history = EMPTY_HISTORY;
  terminal.showLiveLine((columns) => {
    const nowMs = performance.now();
    history = addProgress(history, { seconds: (nowMs - startMs) / MS_PER_SECOND, amount: sampleBytes() });
    const phase = { title: 'Reading', primaryRate: 'bytes', goal, history } as const;
    return progressLine({ ...IDLE, phase }, { ...screen, columns }, nowMs);
  });
}
