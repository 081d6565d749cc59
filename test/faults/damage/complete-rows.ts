/** The valid contents of the columns of bonnie++. */
const NUMBER = String.raw`\d{1,300}(?:\.\d+)?`;
const COUNT = String.raw`\d{1,15}`;
const MARK = String.raw`\++`;
const ANY = '[^,]*';
const SIZE = String.raw`(?:\d{1,15}[kmgtKMGT]?)`;
const LARGEST = `(?:${SIZE}|link|symlink)`;
const LATENCY = String.raw`(?:\d{1,15}(?:us|ms|s))?`;
/** A rate and its %CPU, or neither. */
const PAIR = `(?:,|(?:${NUMBER}|${MARK}),(?:${NUMBER}|${MARK})?)`;

const times = (count: number, column: string) => Array.from({ length: count }, () => column).join(',');
const oneOf = (...ways: readonly string[]) => `(?:${ways.join('|')})`;

const PAIRS = times(6, PAIR);
const FILES_FIELD = oneOf(`${NUMBER}`, `${COUNT}(?::${LARGEST})?(?::${SIZE})?(?:/${COUNT})?`);
const FILES = oneOf(
  [NUMBER, `${LARGEST}?`, `${SIZE}?`, oneOf(`${COUNT},${SIZE}?`, `,(?:${COUNT})?`)].join(','),
  `,${times(4, ANY)}`,
);

/** The block tests after the name. A name may have commas: a size with a unit shows where it ends. */
function blockPattern(size: string, between: readonly string[]): string {
  return [`${size}`, `${SIZE}?`, ...between.map((column) => `(?:${column})?`), PAIRS].join(',');
}

function rowPattern(format: string, between: readonly string[], leftOut: string): RegExp {
  const ends = [FILES, PAIRS, times(12, LATENCY)];
  const row = (name: string, middle: string) => [format, ANY, name, COUNT, ANY, middle, ...ends].join(',');
  const empty = times(2 + between.length + 12, '');
  return new RegExp(
    `^${oneOf(
      row(ANY, blockPattern(`${SIZE}?`, between)),
      row(ANY, leftOut),
      row(`${ANY}(?:,${ANY}){1,9}`, oneOf(blockPattern('\\d+[MGT]', between), empty)),
    )}$`,
  );
}

const ROWS: readonly RegExp[] = [
  rowPattern('1\\.98', [COUNT, COUNT], times(16, '')),
  // 1.96 prints a field too few.
  rowPattern('1\\.9[3-7][a-z]?', [], times(13, '')),
  new RegExp(
    `^${oneOf(
      `${ANY},${SIZE}?(?::${SIZE})?`,
      `${ANY}(?:,${ANY}){1,9},\\d+[MGT](?::${SIZE})?`,
    )},${PAIRS},(?:${FILES_FIELD})?,${PAIRS}$`,
  ),
];

/** A line that is meant as a row, whole or not. */
const ROW_LIKE = /^(?:[^,]*,){20}|^[^,]*,\d+[MG](?::\d+k?)?,|^1\.9[3-8][a-z]?,/;

/** Whether there are rows of bonnie++, and every one of them is whole. */
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

/** Whether the last line of Bonnie's table is a whole row. */
export function hasCompleteLastRow(text: string): boolean {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  const words = last.trim().split(/\s+/);
  const figures = words.slice(-12).join(' ');
  return (
    !last.includes('%CPU') &&
    /(?:^|\s)(?:0*[1-9]\d{0,14}\* ?)?\d{1,15}$/.test(words.slice(0, -12).join(' ')) &&
    /^(?:(?:\d{1,300}|\++) (?:\d{1,300}\.\d|\++) ){5}(?:\d{1,300}(?:\.\d+)?|\++) (?:\d{1,300}\.\d|\++)$/.test(
      figures,
    )
  );
}
