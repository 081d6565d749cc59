import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Interruption } from '../../src/cli/interruption.js';
import type { CliProcess } from '../../src/cli/output/terminal.js';

let process: EventEmitter & { pid: number; kill: () => void };
let killed: number;
let said: string[];
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
  interruption = new Interruption(process as unknown as CliProcess, (line) => said.push(line));
});

afterEach(() => {
  vi.useRealTimers();
});

test('the first signal ends the run in good order', () => {
  process.emit('SIGTERM');
  expect(interruption.signal.reason).toBe('SIGTERM');
  expect(killed).toBe(0);
});

test('the first signal after the program itself has ended the run does not kill it', () => {
  interruption.abort('stdout failed');
  process.emit('SIGINT');
  expect({ killed, said }).toEqual({ killed: 0, said: [] });
  expect(interruption.signal.reason).toBe('stdout failed');
});

test('a second signal kills it, but not the echo of the same Ctrl-C that npm passes on', () => {
  process.emit('SIGINT');
  vi.advanceTimersByTime(100);
  process.emit('SIGINT');
  expect(killed).toBe(0);
  vi.advanceTimersByTime(1000);
  process.emit('SIGINT');
  expect(killed).toBe(1);
  expect(said).toEqual([expect.stringContaining('SIGINT')]);
});
