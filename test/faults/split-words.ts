/** The words of a text, separated by spaces; `␣` is a space within a word. */
export function splitWords(text: string): readonly string[] {
  return text.split(' ').map((word) => word.replaceAll('␣', ' '));
}
