import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createInterruption, SIGNAL_NAMES } from '../../src/cli/interruption.js';
import type { CliProcess, Terminal } from '../../src/cli/output/terminal.js';
import { GobonnieError } from '../../src/errors.js';

let process: EventEmitter & { pid: number; kill: () => void };
let kills: number;
let logged: string[];
let terminal: Pick<Terminal, 'process' | 'log' | 'onFailure' | 'endLiveLine'>;
let interruption: ReturnType<typeof createInterruption>;

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['performance'] });
  vi.advanceTimersByTime(60_000);
  kills = 0;
  logged = [];
  process = Object.assign(new EventEmitter(), {
    pid: 1,
    kill: () => {
      kills += 1;
    },
  });
  const log = (line: string) => logged.push(line);
  terminal = { process: process as unknown as CliProcess, log, onFailure: () => {}, endLiveLine: () => {} };
  interruption = createInterruption(terminal);
});

afterEach(() => {
  vi.useRealTimers();
});

test('the first signal after stdout has closed does not kill the process', () => {
  terminal.onFailure(new GobonnieError('output-failed', 'stdout', 'closed'));
  process.emit('SIGINT', 'SIGINT');
  expect({ kills, logged }).toEqual({ kills: 0, logged: [] });
  expect(interruption.signal.reason).toBe('a closed stdout');
});

test('the first signal aborts the run, and a second one kills the process unless npm forwarded it from the same Ctrl-C', () => {
  process.emit('SIGINT', 'SIGINT');
  expect(interruption.signal.reason).toBe('SIGINT');
  vi.advanceTimersByTime(100);
  process.emit('SIGINT', 'SIGINT');
  expect(kills).toBe(0);
  vi.advanceTimersByTime(1000);
  process.emit('SIGINT', 'SIGINT');
  expect(kills).toBe(1);
  expect(logged).toEqual([
    'gobonnie: killed by another SIGINT; the clean-up process removes any files once the disk responds',
  ]);
});

test('an ignored signal aborts nothing, and only the ignored signals have listeners after the release', () => {
  interruption[Symbol.dispose]();
  interruption = createInterruption(terminal, ['SIGHUP']);
  process.emit('SIGHUP', 'SIGHUP');
  expect(interruption.signal.aborted).toBe(false);
  expect(SIGNAL_NAMES.map((name) => process.listenerCount(name))).toEqual([1, 1, 1]);
  interruption[Symbol.dispose]();
  expect(SIGNAL_NAMES.map((name) => process.listenerCount(name))).toEqual([0, 0, 1]);
});
