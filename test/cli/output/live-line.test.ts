import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLiveLine, parseForeground } from '../../../src/cli/output/live-line.js';

const FRAME_MS = 200;
const ERASED = '\r\u001b[J';

const framed = (text: string) => `\r\u001b[?7l${text}\u001b[?7h\u001b[J\r`;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Returns a screen of this width that records every write. */
function fakeScreen(columns?: number) {
  const writes: string[] = [];
  const write = (text: string) => writes.push(text) > 0;
  return { writes, screen: { write, columns } as { write: typeof write; columns: number } };
}

const mayDraw = () => true;

describe('the progress line', () => {
  test('is redrawn in place five times a second, in one write per frame', () => {
    const { writes, screen } = fakeScreen(80);
    let count = 0;
    const line = createLiveLine(screen, () => `at ${++count}`, mayDraw);
    expect(writes).toEqual([]);
    vi.advanceTimersByTime(3 * FRAME_MS);
    expect(writes).toEqual(['at 1', 'at 2', 'at 3'].map(framed));
    line.end();
  });

  test('is written once while its text remains the same, and erased once when its text becomes empty', () => {
    const { writes, screen } = fakeScreen(80);
    let text = 'something';
    const line = createLiveLine(screen, () => text, mayDraw);
    vi.advanceTimersByTime(5 * FRAME_MS);
    text = '';
    vi.advanceTimersByTime(5 * FRAME_MS);
    line.end();
    expect(writes).toEqual([framed('something'), ERASED]);
  });

  test('remains below printed text, in the same write', () => {
    const { writes, screen } = fakeScreen(80);
    const line = createLiveLine(screen, () => 'something', mayDraw);
    vi.advanceTimersByTime(FRAME_MS);
    line.print('message\n');
    expect(writes.at(-1)).toBe(`${ERASED}message\n${framed('something')}`);
    line.end();
  });

  test('disappears for the output of another program, and returns after a frame', () => {
    const { writes, screen } = fakeScreen(80);
    const line = createLiveLine(screen, () => 'something', mayDraw);
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
  test('is neither drawn nor erased before the process returns to the foreground', () => {
    const { writes, screen } = fakeScreen(80);
    let isForeground = true;
    const isAllowed = () => isForeground;
    const line = createLiveLine(screen, () => 'something', isAllowed);
    vi.advanceTimersByTime(FRAME_MS);
    isForeground = false;
    vi.advanceTimersByTime(5 * FRAME_MS);
    line.print('message\n');
    line.eraseUntilNextFrame();
    expect(writes).toEqual([framed('something'), 'message\n']);
    isForeground = true;
    vi.advanceTimersByTime(FRAME_MS);
    expect(writes.slice(2)).toEqual([framed('something')]);
    line.end();
  });
});

test.each([
  ['true if its group is in the foreground', '12830 (node) S 12823 12830 12823 34816 12830', true],
  ['false if another group is in the foreground', '12830 (node) S 12823 12830 12823 34816 12823', false],
  ['true without a terminal', '12830 (node) S 12823 12830 12823 0 -1', true],
  [
    'false even if its name looks like fields',
    '12830 (a) S 1 2 3 4 5) S 12823 12830 12823 34816 12823',
    false,
  ],
])('parseForeground returns %s', (_, line, expected) => {
  expect(parseForeground(`${line} 4194304 0`)).toBe(expected);
});
