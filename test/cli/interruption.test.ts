import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Interruption } from '../../src/cli/interruption.js';
import type { CliProcess, Terminal } from '../../src/cli/output/terminal.js';
import { GobonnieError } from '../../src/errors.js';

let process: EventEmitter & { pid: number; kill: () => void };
let killed: number;
let said: string[];
let terminal: Pick<Terminal, 'log' | 'onFailure'>;
let interruption: Interruption;

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['performance'] });
  vi.advanceTimersByTime(60_000);
  killed = 0;
  said = [];
  process = Object.assign(new EventEmitter(), {
    pid: 1,
    kill: () => {
      killed += 1;
    },
  });
  terminal = { log: (line) => said.push(line), onFailure: () => {} };
  interruption = new Interruption(process as unknown as CliProcess, terminal);
});

afterEach(() => {
  vi.useRealTimers();
});

test('the first signal aborts the run and does not kill the process', () => {
  process.emit('SIGTERM');
  expect(interruption.signal.reason).toBe('SIGTERM');
  expect(killed).toBe(0);
});

test('the first signal after stdout was closed does not kill the process', () => {
  terminal.onFailure(new GobonnieError('output-failed', 'stdout', 'closed'));
  process.emit('SIGINT');
  expect({ killed, said }).toEqual({ killed: 0, said: [] });
  expect(interruption.signal.reason).toBe('a closed stdout');
});

test('a second signal kills the process, but not one of the same Ctrl-C that npm passes on', () => {
  process.emit('SIGINT');
  vi.advanceTimersByTime(100);
  process.emit('SIGINT');
  expect(killed).toBe(0);
  vi.advanceTimersByTime(1000);
  process.emit('SIGINT');
  expect(killed).toBe(1);
  expect(said).toEqual([
    'gobonnie: killed by a second SIGINT; the clean-up process removes the files once the disk responds',
  ]);
});
