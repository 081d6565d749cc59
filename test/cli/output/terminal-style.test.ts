import { describe, expect, test } from 'vitest';
import { detectTerminalStyle } from '../../../src/cli/output/terminal-style.js';

const XTERM = { TERM: 'xterm-256color', LANG: 'en_US.UTF-8' };
const TTY = { isTTY: true };
const PIPE = {};

type Env = Readonly<Record<string, string>>;

function looks(stream: { isTTY?: boolean }, env: Env, asked?: boolean, platform: NodeJS.Platform = 'linux') {
  return detectTerminalStyle(stream, { platform, env }, asked);
}

test('a terminal gets colours and a progress line, a pipe neither', () => {
  expect(looks(TTY, XTERM)).toEqual({ color: true, unicode: true, isLive: true });
  expect(looks(PIPE, XTERM)).toEqual({ color: false, unicode: true, isLive: false });
});

test.each<Env>([{ TERM: 'dumb' }, { TERM: '' }, { CI: 'true' }, { CI: '1' }])(
  'with %j a terminal gets neither colours nor a progress line',
  (env) => {
    expect(looks(TTY, { ...XTERM, ...env })).toMatchObject({ color: false, isLive: false });
  },
);

test.each<Env>([{ CI: '' }, { CI: 'false' }, { CI: '0' }])('%j does not count as CI', (env) => {
  expect(looks(TTY, { ...XTERM, ...env })).toMatchObject({ color: true, isLive: true });
});

test('Windows gets colours and a progress line without TERM', () => {
  expect(looks(TTY, {}, undefined, 'win32')).toEqual({ color: true, unicode: true, isLive: true });
});

describe('whether there are colours', () => {
  test.each<[Env, boolean]>([
    [{ NO_COLOR: '1' }, false],
    [{ NO_COLOR: '0' }, false],
    [{ NO_COLOR: '' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ FORCE_COLOR: 'false' }, false],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [{ FORCE_COLOR: '3', TERM: 'dumb' }, true],
    [{ FORCE_COLOR: '1', CI: 'true' }, true],
  ])('at a terminal with %j: %j', (env, color) => {
    expect(looks(TTY, { ...XTERM, ...env }).color).toBe(color);
  });

  test.each<[Env, boolean]>([
    [{ FORCE_COLOR: '' }, true],
    [{ FORCE_COLOR: 'true' }, true],
    [{ FORCE_COLOR: '0' }, false],
    [{ NO_COLOR: '' }, false],
  ])('in a pipe with %j: %j', (env, color) => {
    expect(looks(PIPE, { ...XTERM, ...env })).toMatchObject({ color, isLive: false });
  });

  test.each([true, false])('a flag that says %j wins over the environment', (asked) => {
    const env = asked ? { NO_COLOR: '1', TERM: 'dumb' } : { ...XTERM, FORCE_COLOR: '1' };
    expect(looks(asked ? PIPE : TTY, env, asked).color).toBe(asked);
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
])('whether a terminal with %j shows more than ASCII: %j', (env, unicode) => {
  expect(looks(TTY, { TERM: 'xterm', ...env }).unicode).toBe(unicode);
});
