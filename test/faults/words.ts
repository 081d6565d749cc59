/** The words of a text, parted by blanks; `␣` is a blank within a word. */
export function words(text: string): readonly string[] {
  return text.split(' ').map((word) => word.replaceAll('␣', ' '));
}
