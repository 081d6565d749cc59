/** Where the help and all long texts are wrapped, however wide the terminal is. */
export const TEXT_WIDTH = 100;

/** Text in lines of at most so many columns; lines of its own it keeps, a word that is too long, and `95 %` in one. */
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

/** Commands to paste, and beside each what it does. */
export function exampleLines(examples: readonly Example[]): string {
  const width = Math.max(...examples.map(({ command }) => command.length));
  return examples.map(({ command, does }) => `  ${command.padEnd(width)}   ${does}`).join('\n');
}
