import { Command } from 'commander';
import { type Example, examplesOn } from './example.js';

/** Wider lines are hard to read. */
const MOST_COLUMNS = 100;

/** As commander knows it; undefined if stdout is no terminal. */
const { getOutHelpWidth: windowWidth } = new Command().configureOutput();

/** Infinite if stdout is no window, or one that does not say how wide it is. */
export function windowColumns(): number {
  return windowWidth?.() || Number.POSITIVE_INFINITY;
}

/** The width of long texts: that of the window, if it is narrower. */
export function textWidth(): number {
  return Math.min(MOST_COLUMNS, windowColumns());
}

/** Breaks lines at `width`, but never within a word or `95 %`. Line breaks in the text stay. */
export function wrapped(text: string, width: number = textWidth()): string {
  return text
    .split('\n')
    .map((line) => {
      const lines = [''];
      for (const word of line.split(/ (?!%)/)) {
        const last = lines.at(-1) ?? '';
        if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
        else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
      }
      return lines.join('\n');
    })
    .join('\n');
}

export function exampleLines(all: readonly Example[], platform?: string): string {
  const examples = examplesOn(all, platform);
  const width = Math.max(...examples.map(({ command }) => command.length));
  const isWide = examples.some(({ does }) => width + does.length + 5 > textWidth());
  return examples
    .map(({ command, does }) =>
      isWide ? `  ${command}\n      ${does}` : `  ${command.padEnd(width)}   ${does}`,
    )
    .join('\n');
}
