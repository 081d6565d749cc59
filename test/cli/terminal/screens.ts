import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { openWindow, type TmuxScreen, type WindowOptions } from '../../support/programs/tmux.js';

export const TERMINAL_TOOLS = ['tmux', 'env', 'sh'] as const;

export const SHORT_RUN = '--size 0.01 --threads 2 --iops-duration 0.4';
/** Long enough to see its last phase on a busy machine. */
export const LONGER_RUN = '--size 0.01 --threads 2 --iops-duration 2';
export const ENDLESS_RUN = '--size 0.01 --threads 2 --iops-duration 600';
/** The progress line of the iops phase. */
export const IOPS_LINE = /^ *IOPS +\d+ % .*\d\/s/m;
export const ESCAPE = '\u001b';

/** Rows of the table on a terminal. */
export const ROWS = [
  // A write into the page cache has no latency of the disk.
  /^ {2}write +[\d.]+ MB\/s {24}\S{12}$/,
  /^ {2}read +[\d.]+ MB\/s( +[\d.]+ [nµm]?s){2} {2}\S{12}$/,
  /^ {2}iops +\d+\/s( +[\d.]+ [nµm]?s){2} {2}\S{12}$/,
].map((line) => expect.stringMatching(line));

/** Opens a shell in which $D is the directory to measure. */
export async function openWindowAt(
  dir: string,
  { env, ...options }: WindowOptions = {},
): Promise<TmuxScreen> {
  return openWindow({ ...options, env: { ...env, D: dir } });
}

/** Returns the frames of the progress line, without escape sequences. */
export function splitFrames(transcript: string): readonly string[] {
  const frames = transcript.split(`${ESCAPE}[?7l`).slice(1);
  return frames.map((text) => stripVTControlCharacters(text.split(`${ESCAPE}[?7h${ESCAPE}[J\r`)[0] ?? ''));
}

/** Returns table rows and unindented lines, without the prompt and lines that depend on the machine. */
export function stableRows(lines: readonly string[]): readonly string[] {
  return lines.filter(
    (line) =>
      /^ {2}(write|read|iops) {2}/.test(line) ||
      (/^\S/.test(line) && !/^\$ |^gobonnie \d|^[\d/]+ [\d:]+ (gobonnie starting|warning: )/.test(line)),
  );
}

export async function stop(screen: TmuxScreen): Promise<void> {
  await screen.press('C-c');
  await screen.untilPrompt();
}
