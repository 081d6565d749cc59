import { Command } from 'commander';
import { type Example, examplesFor } from './example.js';

/** Wider lines are hard to read. */
const MAX_COLUMNS = 100;

/** As commander knows it; undefined if stdout is no terminal. */
const { getOutHelpWidth: windowWidth } = new Command().configureOutput();

/** Infinite if stdout is no window, or one that does not say how wide it is. */
export function windowColumns(): number {
  return windowWidth?.() || Number.POSITIVE_INFINITY;
}

/** The width of long texts: that of the window, if it is narrower. */
export function proseWidth(): number {
  return Math.min(MAX_COLUMNS, windowColumns());
}

/** Breaks lines at `width`, but never within a word or `95 %`. Line breaks in the text stay. */
export function wrapText(text: string, width: number = proseWidth()): string {
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

export function exampleLines(allExamples: readonly Example[], platform?: string): string {
  const examples = examplesFor(allExamples, platform);
  const width = Math.max(...examples.map(({ command }) => command.length));
  const isWide = examples.some(({ comment: does }) => width + does.length + 5 > proseWidth());
  return examples
    .map(({ command, comment: does }) =>
      isWide ? `  ${command}\n      ${does}` : `  ${command.padEnd(width)}   ${does}`,
    )
    .join('\n');
}
