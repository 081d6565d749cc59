import type { CliProcess } from './output/terminal.js';

/** Signals that stop a run and let it clean up. On Windows, Node maps Ctrl-C and a closed window to them. */
export const SIGNAL_NAMES = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const BREAK_SIGNAL = 'SIGBREAK';
export type SignalName = (typeof SIGNAL_NAMES)[number];

/**
 * Calls `onSignal` instead of ending the process, until the caller calls the returned function. `ignored` signals
 * remain ignored even then: an ignored signal that arrives after the output must not turn success into failure.
 */
export function catchSignals(
  process: Pick<CliProcess, 'on' | 'off'>,
  onSignal: (name: SignalName) => void,
  ignored: readonly SignalName[] = [],
): () => void {
  for (const name of ignored) process.on(name, () => {});
  const caught = SIGNAL_NAMES.filter((name) => !ignored.includes(name));
  const onBreak = () => onSignal('SIGINT');
  for (const name of caught) process.on(name, onSignal);
  process.on(BREAK_SIGNAL, onBreak);
  return () => {
    for (const name of caught) process.off(name, onSignal);
    process.off(BREAK_SIGNAL, onBreak);
  };
}
