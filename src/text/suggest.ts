/** Longer words are not mistyped names, and the time grows with the square. */
const LONGEST = 64;
const MOST_CHANGES = 3;
/** The part of the longer word that must be the same. */
const LEAST_SIMILARITY = 0.4;

/** The word that was probably meant, or null if none is similar. */
export function nearest(given: string, words: readonly string[]): string | null {
  if (given.length > LONGEST) return null;
  let best: string | null = null;
  let fewest = MOST_CHANGES + 1;
  for (const word of words) {
    const [one, other] = [bare(given), bare(word)];
    const changes = changesBetween(one, other);
    const length = Math.max(one.length, other.length);
    if (changes < fewest && (length - changes) / length > LEAST_SIMILARITY) {
      best = word;
      fewest = changes;
    }
  }
  return best;
}

/** `iops-duration`, `iops_duration` and `IopsDuration` become `iopsduration`. */
function bare(word: string): string {
  return word.replace(/[-_]/g, '').toLowerCase();
}

/** How many characters must be added, removed, replaced, or swapped with the next one. */
function changesBetween(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, other.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
