/** The valid contents of the columns of bonnie++. */
const NUMBER = String.raw`\d{1,300}(?:\.\d+)?`;
const COUNT = String.raw`\d{1,15}`;
const MARK = String.raw`\++`;
const ANY = '[^,]*';
const SIZE = String.raw`(?:\d{1,15}[kmgtKMGT]?)`;
const LARGEST = `(?:${SIZE}|link|symlink)`;
const LATENCY = String.raw`(?:\d{1,15}(?:us|ms|s))?`;
/** A rate and its %CPU, or two empty columns. */
const PAIR = `(?:,|(?:${NUMBER}|${MARK}),(?:${NUMBER}|${MARK})?)`;

const times = (count: number, column: string) => Array.from({ length: count }, () => column).join(',');
const oneOf = (...patterns: readonly string[]) => `(?:${patterns.join('|')})`;

const PAIRS = times(6, PAIR);
const FILES_FIELD = oneOf(`${NUMBER}`, `${COUNT}(?::${LARGEST})?(?::${SIZE})?(?:/${COUNT})?`);
const FILES = oneOf(
  [NUMBER, `${LARGEST}?`, `${SIZE}?`, oneOf(`${COUNT},${SIZE}?`, `,(?:${COUNT})?`)].join(','),
  `,${times(4, ANY)}`,
);

/** Returns the pattern of the block tests after the name. A name may have commas: a size with a unit shows its end. */
function blockPattern(size: string, between: readonly string[]): string {
  return [`${size}`, `${SIZE}?`, ...between.map((column) => `(?:${column})?`), PAIRS].join(',');
}

function rowPattern(format: string, between: readonly string[], noBlocks: string): RegExp {
  const ends = [FILES, PAIRS, times(12, LATENCY)];
  const row = (name: string, middle: string) => [format, ANY, name, COUNT, ANY, middle, ...ends].join(',');
  const empty = times(2 + between.length + 12, '');
  return new RegExp(
    `^${oneOf(
      row(ANY, blockPattern(`${SIZE}?`, between)),
      row(ANY, noBlocks),
      row(`${ANY}(?:,${ANY}){1,9}`, oneOf(blockPattern('\\d+[MGT]', between), empty)),
    )}$`,
  );
}

const ROWS: readonly RegExp[] = [
  rowPattern('1\\.98', [COUNT, COUNT], times(16, '')),
  // 1.96 prints one field too few.
  rowPattern('1\\.9[3-7][a-z]?', [], times(13, '')),
  new RegExp(
    `^${oneOf(
      `${ANY},${SIZE}?(?::${SIZE})?`,
      `${ANY}(?:,${ANY}){1,9},\\d+[MGT](?::${SIZE})?`,
    )},${PAIRS},(?:${FILES_FIELD})?,${PAIRS}$`,
  ),
];

/** Matches a line that resembles a row, even if it is damaged. */
const ROW_LIKE = /^(?:[^,]*,){20}|^[^,]*,\d+[MG](?::\d+k?)?,|^1\.9[3-8][a-z]?,/;

/** Returns true if the text has rows of bonnie++ and every row is whole. */
export function hasCompleteRows(text: string): boolean {
  const lines = text.split('\n').map((line) =>
    line
      .split(',')
      .map((field) => field.trim())
      .join(','),
  );
  const isWhole = (line: string) => ROWS.some((row) => row.test(line));
  return lines.some(isWhole) && lines.every((line) => isWhole(line) || !ROW_LIKE.test(line));
}

/** Returns true if the last line of Bonnie's table is a whole row. */
export function hasCompleteLastRow(text: string): boolean {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  const words = last.trim().split(/\s+/);
  const results = words.slice(-12).join(' ');
  return (
    !last.includes('%CPU') &&
    /(?:^|\s)(?:0*[1-9]\d{0,14}\* ?)?\d{1,15}$/.test(words.slice(0, -12).join(' ')) &&
    /^(?:(?:\d{1,300}|\++) (?:\d{1,300}\.\d|\++) ){5}(?:\d{1,300}(?:\.\d+)?|\++) (?:\d{1,300}\.\d|\++)$/.test(
      results,
    )
  );
}
