import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import type { CliProcess } from '../../src/cli/output/terminal.js';
import { catchSignals, SIGNAL_NAMES } from '../../src/cli/signals.js';

test('catchSignals calls the listener until its release, and keeps ignoring ignored signals', () => {
  const process = new EventEmitter();
  const caught: string[] = [];
  const release = catchSignals(process as unknown as CliProcess, (name) => caught.push(name), ['SIGHUP']);
  for (const name of SIGNAL_NAMES) process.emit(name, name);
  expect(caught).toEqual(['SIGINT', 'SIGTERM']);
  release();
  expect(SIGNAL_NAMES.map((name) => process.listenerCount(name))).toEqual([0, 0, 1]);
});
