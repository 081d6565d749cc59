/** The width of all long texts, whatever the width of the terminal. */
export const TEXT_WIDTH = 100;

/** Breaks lines at `width`, but never within a word or `95 %`. Line breaks in the text stay. */
export function wrapped(text: string, width: number = TEXT_WIDTH): string {
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

export interface Example {
  readonly command: string;
  readonly does: string;
}

export function exampleLines(examples: readonly Example[]): string {
  const width = Math.max(...examples.map(({ command }) => command.length));
  return examples.map(({ command, does }) => `  ${command.padEnd(width)}   ${does}`).join('\n');
}
