import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, vi } from 'vitest';
import { makeDirectory } from '../disks/directory.js';
import { ENTRY } from './program.js';

const PROMPT = '$ ';
const PATIENCE = { timeout: 100_000, interval: 20 };

export interface WindowOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Beside what every program has. Without CI, as people are. */
  readonly env?: Readonly<Record<string, string>>;
}

/** What a person at a terminal has before him. */
export interface Screen {
  /** Types a line, and Enter. */
  type(line: string): Promise<void>;
  /** Presses a key, by tmux's name of it. */
  press(key: string): Promise<void>;
  resize(columns: number): Promise<void>;
  /** What is to be seen, without the empty rows at its end. */
  rows(): Promise<readonly string[]>;
  /** The same as it was written: what is wrapped is one line. */
  lines(): Promise<readonly string[]>;
  /** The same with the escapes of its colours. */
  colored(): Promise<string>;
  /** Resolves, with what is to be seen, as soon as that matches. */
  shows(pattern: RegExp): Promise<readonly string[]>;
  /** Resolves, with the lines before it, when the shell asks for another one. */
  isReady(): Promise<readonly string[]>;
  cursor(): Promise<{ readonly column: number; readonly row: number; readonly isVisible: boolean }>;
  /** Everything that was ever sent to it. */
  sent(): string;
}

/** A shell in a terminal of its own, gone with the test. */
export async function openWindow({
  columns = 100,
  rows = 30,
  env = {},
}: WindowOptions = {}): Promise<Screen> {
  const directory = makeDirectory(os.tmpdir());
  const record = path.join(directory, 'record');
  const tmux = async (...args: string[]) => {
    const { stdout } = await promisify(execFile)('tmux', ['-S', path.join(directory, 'socket'), ...args]);
    return stdout;
  };
  const shell = [
    ...['env', '-i', `PATH=${process.env.PATH}`, 'TERM=screen', 'LANG=C.UTF-8', `PS1=${PROMPT}`],
    ...Object.entries({ ...env, GOBONNIE: `${process.execPath} ${ENTRY}` }).map(
      ([name, value]) => `${name}=${value}`,
    ),
    'sh',
  ];
  const size = ['-x', String(columns), '-y', String(rows)];
  await tmux('-f', '/dev/null', 'new-session', '-d', ...size, ...shell);
  onTestFinished(() => {
    execFileSync('tmux', ['-S', path.join(directory, 'socket'), 'kill-server']);
  });
  writeFileSync(record, '');
  await tmux('pipe-pane', `cat >>${record}`);
  const seen = async (...flags: string[]) => (await tmux('capture-pane', '-p', ...flags)).trimEnd();
  const isPrompting = () =>
    vi.waitUntil(async () => (await seen()).split('\n').at(-1) === PROMPT.trim(), PATIENCE);
  const screen: Screen = {
    async type(line) {
      await tmux('send-keys', '-l', line);
      // Or else the prompt before it might be taken for the one after it.
      const joined = async () => (await seen('-J')).endsWith(line.trimEnd());
      await vi.waitUntil(joined, PATIENCE);
      await tmux('send-keys', 'Enter');
    },
    async press(key) {
      await tmux('send-keys', key);
    },
    async resize(width) {
      await tmux('resize-window', '-x', String(width), '-y', String(rows));
    },
    rows: async () => (await seen()).split('\n'),
    lines: async () => (await seen('-J')).split('\n').map((line) => line.trimEnd()),
    colored: () => seen('-e'),
    async shows(pattern) {
      await vi.waitUntil(async () => pattern.test(await seen()), PATIENCE);
      return screen.rows();
    },
    async isReady() {
      await isPrompting();
      // Whoever records it may come later than the screen.
      await vi.waitUntil(() => screen.sent().endsWith(PROMPT), PATIENCE);
      return (await screen.lines()).slice(0, -1);
    },
    async cursor() {
      const [column, row, flag] = (
        await tmux('display-message', '-p', '#{cursor_x} #{cursor_y} #{cursor_flag}')
      ).split(' ');
      return { column: Number(column), row: Number(row), isVisible: flag?.trim() === '1' };
    },
    sent: () => readFileSync(record, 'utf8'),
  };
  await isPrompting();
  return screen;
}
