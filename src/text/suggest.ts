/** Limit because longer words are not mistyped names, and the time grows with the square of the length. */
const MAX_WORD_LENGTH = 64;
const MAX_EDITS = 3;
/** Minimum share of the longer word that must match. */
const MIN_SIMILARITY = 0.4;

/** Returns the word that the user probably meant, or null if no word is similar. */
export function findNearest(input: string, words: readonly string[]): string | null {
  if (input.length > MAX_WORD_LENGTH) return null;
  let best: string | null = null;
  let fewestEdits = MAX_EDITS + 1;
  for (const word of words) {
    const one = normalize(input);
    const other = normalize(word);
    const edits = editDistance(one, other);
    const length = Math.max(one.length, other.length);
    if (edits < fewestEdits && (length - edits) / length > MIN_SIMILARITY) {
      best = word;
      fewestEdits = edits;
    }
  }
  return best;
}

/** Turns `iops-duration`, `iops_duration` and `IopsDuration` into `iopsduration`. */
function normalize(word: string): string {
  return word.replace(/[-_]/g, '').toLowerCase();
}

/** Counts the characters to add, remove, replace, or swap with the next character. */
function editDistance(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          cellAt(last, column) + 1,
          cellAt(current, column - 1) + 1,
          cellAt(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? cellAt(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return cellAt(last, other.length);
}

function cellAt(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
