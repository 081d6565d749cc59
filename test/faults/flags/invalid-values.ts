import type { SeededRandom } from '../../support/data/seeded-random.js';
import { splitWords } from '../split-words.js';

/** Invalid as a number, a size, or a name of a mode, format or phase in any front end. `␣` stands for a space. */
const WORDS = [
  ...splitWords(
    '- -- = , . * % ? NaN nan Infinity -Infinity +inf 1e400 -1e400 1e e5 1e+ 0x1p-2 null undefined true None',
  ),
  ...splitWords(
    '{} [] [1] __proto__ constructor toString hasOwnProperty valueOf 0b1 0o7 0x10 1_000 1,5 1;5 1..2 +-1',
  ),
  ...splitWords(
    '--1 1- (1) 1/2 1kk k GiB 5% $1 1€ #1 1n 1L 1f １２ ٣ १ ½ ² ∞ Ⅳ 一 vier 💾 \\0 \\u0031 && ../.. ~ %s%n',
  ),
  ...splitWords(
    '␣ [object␣Object] 1␣2 1␣GiB ␣1 e\u0301 \u200b1 1\u200d $(reboot) `id` ;␣ls <script> =1+1 \ufffd \uffff',
  ),
  ...splitWords(
    '1\0 \0 \0\x001 1\n \n1 1\r \t1 1\u2028 1\u0085 \u001b[2J \u009b31m1 \u001b]0;x\u0007 \u007f 1\b \ud800',
  ),
  ...splitWords('\u202e1 \u20661\u2069 \u061c1 \u200f1 1\udc00 1\u2029 1\ufeff'),
  ...['', 'x'.repeat(100_000)],
];

/** No spaces, which are valid around the name of a phase. */
const BREAKERS = splitWords(
  '\0 \u001b \u0007 \u009b \u202e \u061c 💾 ß _ ! " \' ` $ < > & | \\ / ( * ? ~ # ^ \ud83d',
);
const INVALID_LABELS = splitWords('two\nlines \r a\0b \0 x\r\ny 💾\n \u001b[2J\n');
const INVALID_PATHS = splitWords('\0 a\0b \0/etc \u202e\0 x\0\u001b[2J \u009b\0');
const MISSING_FILES = splitWords(
  'missing \u001b[31mred 💾 \u202egnp.exe \u009bA x\0y \0\u202e " it\'s missing/deeper sample.raw/below \ud800 a\nb \u2066a',
);
const INVALID_REPORT_PATHS = splitWords(
  '.json report.txt a\0\u202e.json missing/\u061c.json missing/report.json sample.raw/report.json .',
);
const UNKNOWN_USERS = splitWords(
  'no␣such␣user root:no␣such␣group :no␣such␣group root\n : x\0y \u001b[2J \u202eroot ROOT! 1.5 - 4294967295 99999999999',
);

/** Returns a wrong value for a flag that takes a number or one of a few words. `example` is a valid value. */
export function invalidWord(random: SeededRandom, example: string): string {
  switch (random.upTo(5)) {
    case 0:
      return breakWord(random, example);
    case 1:
      return randomUnicode(random);
    case 2:
      return outOfRangeNumber(random);
    default:
      return random.oneOf(WORDS);
  }
}

/** Returns an invalid label: a valid label is any text on one line. */
export function invalidLabel(random: SeededRandom): string {
  return random.oneOf([...INVALID_LABELS, '', `${'x'.repeat(100_000)}\n`, `${randomUnicode(random)}\n`]);
}

/** Returns an invalid path. */
export function invalidPath(random: SeededRandom): string {
  return random.oneOf([...INVALID_PATHS, '', `${randomUnicode(random)}\0`]);
}

/** Returns the path of a missing file. */
export function missingFile(random: SeededRandom): string {
  return random.oneOf([...MISSING_FILES, '', 'x'.repeat(300), 'd/'.repeat(2100), 'x'.repeat(100_000)]);
}

/** Returns a path where no report can be written. */
export function invalidReportPath(random: SeededRandom): string {
  return random.oneOf([...INVALID_REPORT_PATHS, invalidWord(random, 'report')]);
}

/** Returns a text that is neither the name nor the number of a user. */
export function unknownUser(random: SeededRandom): string {
  return random.oneOf([...UNKNOWN_USERS, '', 'x'.repeat(100_000), '0:\u009b1m', '-4294967297', '\u061c']);
}

/** Inserts an invalid character into a word. */
function breakWord(random: SeededRandom, word: string): string {
  const index = random.upTo(word.length);
  return word.slice(0, index) + random.oneOf(BREAKERS) + word.slice(index);
}

/** Returns characters from the whole of Unicode. */
function randomUnicode(random: SeededRandom): string {
  const points = Array.from({ length: 1 + random.upTo(11) }, () =>
    Math.floor(random.between(0xa0, 0x10ffff)),
  );
  return String.fromCodePoint(...points);
}

/** Returns a number beyond every limit, even the range of a double. */
function outOfRangeNumber(random: SeededRandom): string {
  const digits = '9'.repeat(310 + random.upTo(90));
  return random.oneOf([
    digits,
    `-${digits}`,
    `-${1 + random.upTo(1e6)}`,
    `1e${400 + random.upTo(1e6)}`,
    `${digits}k`,
  ]);
}
