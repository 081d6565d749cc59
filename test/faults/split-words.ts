/** Returns the words of a text, separated by spaces; `␣` stands for a space within a word. */
export function splitWords(text: string): readonly string[] {
  return text.split(' ').map((word) => word.replaceAll('␣', ' '));
}
