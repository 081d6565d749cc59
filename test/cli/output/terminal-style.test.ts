import { describe, expect, test } from 'vitest';
import { detectTerminalStyle } from '../../../src/cli/output/terminal-style.js';

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
  return detectTerminalStyle(stream, { platform, env }, requested);
}

test('a terminal has colors and a progress line, but a pipe has neither', () => {
  expect(styleOn(TTY, XTERM)).toEqual({ color: true, unicode: true, isLive: true });
  expect(styleOn(PIPE, XTERM)).toEqual({ color: false, unicode: true, isLive: false });
});

test.each<Env>([{ TERM: 'dumb' }, { TERM: '' }, { CI: 'true' }, { CI: '1' }])(
  'with %j a terminal has neither colors nor a progress line',
  (env) => {
    expect(styleOn(TTY, { ...XTERM, ...env })).toMatchObject({ color: false, isLive: false });
  },
);

test.each<Env>([{ CI: '' }, { CI: 'false' }, { CI: '0' }])('%j does not count as CI', (env) => {
  expect(styleOn(TTY, { ...XTERM, ...env })).toMatchObject({ color: true, isLive: true });
});

test('Windows has colors and a progress line without TERM', () => {
  expect(styleOn(TTY, {}, undefined, 'win32')).toEqual({ color: true, unicode: true, isLive: true });
});

describe('color', () => {
  test.each<[Env, boolean]>([
    [{ NO_COLOR: '1' }, false],
    [{ NO_COLOR: '0' }, false],
    [{ NO_COLOR: '' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: 'false' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [{ FORCE_COLOR: '3', TERM: 'dumb' }, true],
    [{ FORCE_COLOR: '1', CI: 'true' }, true],
  ])('on a terminal with %j is %j', (env, color) => {
    expect(styleOn(TTY, { ...XTERM, ...env }).color).toBe(color);
  });

  test.each<[Env, boolean]>([
    [{ FORCE_COLOR: '' }, true],
    [{ FORCE_COLOR: 'true' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ NO_COLOR: '' }, false],
  ])('in a pipe with %j is %j', (env, color) => {
    expect(styleOn(PIPE, { ...XTERM, ...env })).toMatchObject({ color, isLive: false });
  });

  test.each([true, false])('is %j if a flag requests it against the environment', (requested) => {
    const env = requested ? { NO_COLOR: '1', TERM: 'dumb' } : { ...XTERM, FORCE_COLOR: '1' };
    expect(styleOn(requested ? PIPE : TTY, env, requested).color).toBe(requested);
  });
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
