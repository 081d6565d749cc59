import { expect, test } from 'vitest';
import { detectPaint, detectScreen } from '../../../src/cli/output/terminal.js';

const XTERM = { TERM: 'xterm-256color', LANG: 'en_US.UTF-8' };
const TTY = { isTTY: true };
const PIPE = {};

type Env = Readonly<Record<string, string>>;

function styleOn(
  stream: { isTTY?: boolean },
  env: Env,
  requested?: boolean,
  platform: NodeJS.Platform = 'linux',
) {
  const screen = detectScreen(stream, { platform, env }, requested);
  const paint = detectPaint(stream, { platform, env }, requested);
  return { color: paint.good('') !== '', isLive: screen !== null };
}

test.each<[{ isTTY?: boolean }, Env, boolean, boolean]>([
  [TTY, {}, true, true],
  [PIPE, {}, false, false],
  [TTY, { TERM: 'dumb' }, false, false],
  [TTY, { TERM: '' }, false, false],
  [TTY, { CI: 'true' }, false, false],
  [TTY, { CI: '' }, true, true],
  [TTY, { CI: 'false' }, true, true],
  [TTY, { NO_COLOR: '1' }, false, true],
  [TTY, { NO_COLOR: '' }, true, true],
  [TTY, { FORCE_COLOR: '0' }, false, true],
  [TTY, { FORCE_COLOR: 'false' }, false, true],
  [TTY, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
  [TTY, { FORCE_COLOR: '3', TERM: 'dumb' }, true, false],
  [PIPE, { FORCE_COLOR: '' }, true, false],
])('the stream %j with %j has colors: %j, and a progress line: %j', (stream, env, color, isLive) => {
  expect(styleOn(stream, { ...XTERM, ...env })).toMatchObject({ color, isLive });
});

test('a flag decides on colors against the environment, and Windows needs no TERM', () => {
  expect(styleOn(PIPE, { NO_COLOR: '1', TERM: 'dumb' }, true).color).toBe(true);
  expect(styleOn(TTY, { ...XTERM, FORCE_COLOR: '1' }, false).color).toBe(false);
  expect(styleOn(TTY, {}, undefined, 'win32')).toEqual({ color: true, isLive: true });
});
