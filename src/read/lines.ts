/** The lines of a text with their numbers, one after the other: there may be millions. */
export function* linesOf(text: string): Generator<readonly [line: string, number: number]> {
  let number = 1;
  for (let start = 0; start < text.length; number++) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    yield [text.slice(start, end), number];
    start = end + 1;
  }
}
