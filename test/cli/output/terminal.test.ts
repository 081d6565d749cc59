import { expect, test } from 'vitest';
import { detectTerminalStyle } from '../../../src/cli/output/terminal.js';

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
  const { paint, ...style } = detectTerminalStyle(stream, { platform, env }, requested);
  return { ...style, color: paint.good('') !== '' };
}

test.each<[{ isTTY?: boolean }, Env, boolean, boolean]>([
  [TTY, {}, true, true],
  [PIPE, {}, false, false],
  [TTY, { TERM: 'dumb' }, false, false],
  [TTY, { TERM: '' }, false, false],
  [TTY, { CI: 'true' }, false, false],
  [TTY, { CI: '1' }, false, false],
  [TTY, { CI: '' }, true, true],
  [TTY, { CI: 'false' }, true, true],
  [TTY, { CI: '0' }, true, true],
  [TTY, { NO_COLOR: '1' }, false, true],
  [TTY, { NO_COLOR: '0' }, false, true],
  [TTY, { NO_COLOR: '' }, true, true],
  [TTY, { FORCE_COLOR: '0' }, false, true],
  [TTY, { FORCE_COLOR: 'false' }, false, true],
  [TTY, { FORCE_COLOR: '1', NO_COLOR: '1' }, true, true],
  [TTY, { FORCE_COLOR: '3', TERM: 'dumb' }, true, false],
  [TTY, { FORCE_COLOR: '1', CI: 'true' }, true, false],
  [PIPE, { FORCE_COLOR: '' }, true, false],
  [PIPE, { FORCE_COLOR: '0' }, false, false],
  [PIPE, { NO_COLOR: '' }, false, false],
])('the stream %j with %j has colors: %j, and a progress line: %j', (stream, env, color, isLive) => {
  expect(styleOn(stream, { ...XTERM, ...env })).toEqual({ color, isLive, unicode: true });
});

test('a flag decides on colors against the environment, and Windows needs no TERM', () => {
  expect(styleOn(PIPE, { NO_COLOR: '1', TERM: 'dumb' }, true).color).toBe(true);
  expect(styleOn(TTY, { ...XTERM, FORCE_COLOR: '1' }, false).color).toBe(false);
  expect(styleOn(TTY, {}, undefined, 'win32')).toEqual({ color: true, unicode: true, isLive: true });
});

test.each<[Env, boolean]>([
  [{ LANG: 'C' }, false],
  [{}, false],
  [{ LANG: 'C.utf8' }, true],
  [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'C' }, false],
  [{ LANG: 'C', LC_CTYPE: 'de_DE.UTF-8' }, true],
  [{ LANG: 'de_DE.UTF-8', LC_CTYPE: 'de_DE.UTF-8', LC_ALL: 'POSIX' }, false],
  [{ LANG: 'de_DE.UTF-8', LC_ALL: '' }, true],
  [{ LANG: 'de_DE.UTF-8', TERM: 'linux' }, false],
])('a terminal with %j has the Unicode support %j', (env, unicode) => {
  expect(styleOn(TTY, { TERM: 'xterm', ...env }).unicode).toBe(unicode);
});
