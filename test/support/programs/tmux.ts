import { execFile, execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished, vi } from 'vitest';
import { makeDirectory } from '../disks/directory.js';
import { ENTRY } from './program.js';

const PROMPT = '$ ';
const WAIT_OPTIONS = { timeout: 100_000, interval: 20 };

export interface WindowOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Added to the basic environment, which has no CI variable. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A terminal, as its user sees it. */
export interface TmuxScreen {
  /** Types a line and presses Enter. */
  type(line: string): Promise<void>;
  /** Presses a key, by its name in tmux. */
  press(key: string): Promise<void>;
  resize(columns: number): Promise<void>;
  /** Returns the visible rows, without empty rows at the end. */
  rows(): Promise<readonly string[]>;
  /** Returns the visible lines as printed: wrapped rows are one line. */
  lines(): Promise<readonly string[]>;
  /** Returns the visible rows with colour escapes. */
  colored(): Promise<string>;
  /** Resolves to the visible rows as soon as they match. */
  untilRows(pattern: RegExp): Promise<readonly string[]>;
  /** Waits for the shell's next prompt; resolves to the lines before it. */
  untilPrompt(): Promise<readonly string[]>;
  cursor(): Promise<{ readonly column: number; readonly row: number; readonly isVisible: boolean }>;
  /** Returns all output that was sent to the terminal. */
  transcript(): string;
}

/** Opens a shell in its own terminal, for one test. */
export async function openWindow({
  columns = 100,
  rows = 30,
  env = {},
}: WindowOptions = {}): Promise<TmuxScreen> {
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
  const capture = async (...flags: string[]) => (await tmux('capture-pane', '-p', ...flags)).trimEnd();
  const waitForPrompt = () =>
    vi.waitUntil(async () => (await capture()).split('\n').at(-1) === PROMPT.trim(), WAIT_OPTIONS);
  const screen: TmuxScreen = {
    async type(line) {
      await tmux('send-keys', '-l', line);
      // Otherwise the prompt before the line could be mistaken for the next prompt.
      const isTyped = async () => (await capture('-J')).endsWith(line.trimEnd());
      await vi.waitUntil(isTyped, WAIT_OPTIONS);
      await tmux('send-keys', 'Enter');
    },
    async press(key) {
      await tmux('send-keys', key);
    },
    async resize(width) {
      await tmux('resize-window', '-x', String(width), '-y', String(rows));
    },
    rows: async () => (await capture()).split('\n'),
    lines: async () => (await capture('-J')).split('\n').map((line) => line.trimEnd()),
    colored: () => capture('-e'),
    async untilRows(pattern) {
      await vi.waitUntil(async () => pattern.test(await capture()), WAIT_OPTIONS);
      return screen.rows();
    },
    async untilPrompt() {
      await waitForPrompt();
      // The record may lag behind the screen.
      await vi.waitUntil(() => screen.transcript().endsWith(PROMPT), WAIT_OPTIONS);
      return (await screen.lines()).slice(0, -1);
    },
    async cursor() {
      const [column, row, flag] = (
        await tmux('display-message', '-p', '#{cursor_x} #{cursor_y} #{cursor_flag}')
      ).split(' ');
      return { column: Number(column), row: Number(row), isVisible: flag?.trim() === '1' };
    },
    transcript: () => readFileSync(record, 'utf8'),
  };
  await waitForPrompt();
  return screen;
}
