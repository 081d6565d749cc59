import type { SeededRandom } from '../../support/data/seeded-random.js';
import { splitWords } from '../split-words.js';
import { type CorruptFile, isIntact } from './corrupt-file.js';
import type { SampleFile } from './sample-files.js';

/** Values that no column of figures can hold, and some that one may. */
const FIELDS = [
  ...splitWords(
    'x -1 1e5 nan inf 1.2.3 0x10 constructor __proto__ toString \u001b[2J <b> + +++ +-+ k 1q ∞ １２ 1: :1 1:2:3:4 = 0',
  ),
  ...splitWords('1␣2 1\u00a02 "1" 1;2 link symlink 99999999999999999999Z'),
  ...['', '9'.repeat(400), 'x'.repeat(3000)],
];
const TIMES = 2;

/** Removes, doubles, swaps and replaces every field in turn. */
export function corruptFields(
  random: SeededRandom,
  { name, kind, text }: SampleFile,
): readonly CorruptFile[] {
  const [separator, lines] = kind === 'row' ? [',', 0] : [/\s+/, text.trimEnd().lastIndexOf('\n') + 1];
  const head = text.slice(0, lines);
  const fields = text.slice(lines).trimEnd().split(separator);
  const between = kind === 'row' ? ',' : ' ';
  return fields.flatMap((field, at) => {
    const ways: readonly (readonly [what: string, ...instead: string[]])[] = [
      ['lost'],
      ['doubled', field, field],
      ['for its neighbour', fields[at + 1] ?? '', field],
      ...Array.from({ length: TIMES }, () => ['changed', random.oneOf(FIELDS)] as const),
    ];
    return ways.map(([what, ...instead]): CorruptFile => {
      const count = what === 'for its neighbour' ? 2 : 1;
      const content = `${head}${fields.toSpliced(at, count, ...instead).join(between)}\n`;
      return {
        name: `${name}, field ${at} ${what}: ${instead.join(between).slice(0, 80)}`,
        content,
        verdict: isIntact(kind, content) ? 'shown' : 'refused',
      };
    });
  });
}
