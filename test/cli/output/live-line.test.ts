import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LiveLine, parseForeground } from '../../../src/cli/output/live-line.js';
import { type CliProcess, Terminal } from '../../../src/cli/output/terminal.js';

const FRAME_MS = 100;
const ERASED = '\r\u001b[J';

const framed = (text: string) => `\r\u001b[?7l${text}\u001b[?7h\u001b[J\r`;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** A screen of this width that keeps each write. */
function screenOf(columns?: number) {
  const writes: string[] = [];
  const write = (text: string) => writes.push(text) > 0;
  return { writes, screen: { write, columns } as { write: typeof write; columns: number } };
}

const ours = () => true;

describe('the progress line', () => {
  test('is redrawn in place ten times a second, each time in one write', () => {
    const { writes, screen } = screenOf(80);
    let count = 0;
    const line = new LiveLine(screen, () => `at ${++count}`, ours);
    expect(writes).toEqual([]);
    vi.advanceTimersByTime(3 * FRAME_MS);
    expect(writes).toEqual(['at 1', 'at 2', 'at 3'].map(framed));
    line.end();
  });

  test('is rendered for the current width of the window', () => {
    const { writes, screen } = screenOf(100);
    const line = new LiveLine(screen, (columns) => `${columns} wide`, ours);
    vi.advanceTimersByTime(FRAME_MS);
    screen.columns = 40;
    vi.advanceTimersByTime(FRAME_MS);
    // Some terminals do not know their width.
    screen.columns = 0;
    vi.advanceTimersByTime(FRAME_MS);
    expect(writes).toEqual(['100 wide', '40 wide', '80 wide'].map(framed));
    line.end();
  });

  test('is erased once when its text becomes empty', () => {
    const { writes, screen } = screenOf(80);
    let text = 'something';
    const line = new LiveLine(screen, () => text, ours);
    vi.advanceTimersByTime(FRAME_MS);
    text = '';
    vi.advanceTimersByTime(5 * FRAME_MS);
    expect(writes).toEqual([framed('something'), ERASED]);
    line.end();
    expect(writes).toHaveLength(2);
  });

  test('is erased for good when it ends', () => {
    const { writes, screen } = screenOf(80);
    const line = new LiveLine(screen, () => 'something', ours);
    vi.advanceTimersByTime(FRAME_MS);
    line.end();
    line.end();
    vi.advanceTimersByTime(5 * FRAME_MS);
    expect(writes).toEqual([framed('something'), ERASED]);
  });

  test('stays below text printed above it, in the same write', () => {
    const { writes, screen } = screenOf(80);
    const line = new LiveLine(screen, () => 'something', ours);
    vi.advanceTimersByTime(FRAME_MS);
    line.print('said\n');
    expect(writes.at(-1)).toBe(`${ERASED}said\n${framed('something')}`);
    line.end();
  });

  test('makes room for the output of others, and is back after a frame', () => {
    const { writes, screen } = screenOf(80);
    const line = new LiveLine(screen, () => 'something', ours);
    vi.advanceTimersByTime(1.9 * FRAME_MS);
    line.eraseUntilNextFrame();
    vi.advanceTimersByTime(0.9 * FRAME_MS);
    expect(writes).toEqual([framed('something'), ERASED]);
    vi.advanceTimersByTime(0.1 * FRAME_MS);
    expect(writes.at(-1)).toBe(framed('something'));
    line.end();
  });
});

describe('the progress line of a background process', () => {
  test('is neither drawn nor erased until the process is in the foreground', () => {
    const { writes, screen } = screenOf(80);
    let isOurs = true;
    const line = new LiveLine(
      screen,
      () => 'something',
      () => isOurs,
    );
    vi.advanceTimersByTime(FRAME_MS);
    isOurs = false;
    vi.advanceTimersByTime(5 * FRAME_MS);
    line.print('said\n');
    line.eraseUntilNextFrame();
    expect(writes).toEqual([framed('something'), 'said\n']);
    isOurs = true;
    vi.advanceTimersByTime(FRAME_MS);
    expect(writes.slice(2)).toEqual([framed('something')]);
    line.end();
  });
});

describe('a terminal', () => {
  /** What was written to both streams, in order. */
  function terminalOf() {
    const sent: string[] = [];
    const streamOf = (name: string) =>
      Object.assign(new EventEmitter(), {
        write: (text: string, done?: () => void) => {
          sent.push(`${name} ${text}`);
          done?.();
        },
      });
    const process = { stdout: streamOf('out'), stderr: streamOf('err') };
    return { sent, terminal: new Terminal(process as unknown as CliProcess) };
  }

  test('prints no escape sequences after the progress line has ended', () => {
    const { sent, terminal } = terminalOf();
    terminal.showLiveLine(() => 'line').end();
    terminal.log('said');
    terminal.print('42\n');
    expect(sent).toEqual(['err said\n', 'out 42\n']);
  });

  test('erases the progress line before it writes to stdout, and adds nothing to stdout', () => {
    const { sent, terminal } = terminalOf();
    const line = terminal.showLiveLine(() => 'line');
    vi.advanceTimersByTime(FRAME_MS);
    terminal.print('42\n');
    terminal.log('said');
    line.end();
    expect(sent).toEqual([
      `err ${framed('line')}`,
      `err ${ERASED}`,
      'out 42\n',
      `err said\n${framed('line')}`,
      `err ${ERASED}`,
    ]);
  });
});

test.each([
  ['its group is in the foreground', '12830 (node) S 12823 12830 12823 34816 12830 4194304 0', true],
  ['another group is', '12830 (node) S 12823 12830 12823 34816 12823 4194304 0', false],
  ['it is a child in the foreground group', '12831 (node) S 12830 12830 12823 34816 12830 4194304 0', true],
  ['there is no terminal', '12830 (node) S 12823 12830 12823 0 -1 4194304 0', true],
  [
    'its name looks like other fields',
    '12830 (a) S 1 2 3 4 5) S 12823 12830 12823 34816 12823 4194304 0',
    false,
  ],
])('/proc/self/stat says whether this process is in the foreground: %s', (_, line, expected) => {
  expect(parseForeground(line)).toBe(expected);
});
