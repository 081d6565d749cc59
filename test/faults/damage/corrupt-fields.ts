import type { SeededRandom } from '../../support/data/seeded-random.js';
import { splitWords } from '../split-words.js';
import { type CorruptFile, isIntact } from './corrupt-file.js';
import type { SampleFile } from './sample-files.js';

/** Values that are invalid in every numeric column, and some that are valid in some columns. */
const FIELDS = [
  ...splitWords(
    'x -1 1e5 nan inf 1.2.3 0x10 constructor __proto__ toString \u001b[2J <b> + +++ +-+ k 1q ∞ １２ 1: :1 1:2:3:4 = 0',
  ),
  ...splitWords('1␣2 1\u00a02 "1" 1;2 link symlink 99999999999999999999Z'),
  ...['', '9'.repeat(400), 'x'.repeat(3000)],
];
const TIMES = 2;

/** Removes, doubles, swaps and replaces each field. */
export function corruptFields(
  random: SeededRandom,
  { name, kind, text }: SampleFile,
): readonly CorruptFile[] {
  const rowStart = kind === 'row' ? 0 : text.trimEnd().lastIndexOf('\n') + 1;
  const head = text.slice(0, rowStart);
  const fields = text
    .slice(rowStart)
    .trimEnd()
    .split(kind === 'row' ? ',' : /\s+/);
  const between = kind === 'row' ? ',' : ' ';
  return fields.flatMap((field, index) => {
    const changes: readonly (readonly [damage: string, ...replacement: string[]])[] = [
      ['lost'],
      ['doubled', field, field],
      ['swapped', fields[index + 1] ?? '', field],
      ...Array.from({ length: TIMES }, () => ['changed', random.oneOf(FIELDS)] as const),
    ];
    return changes.map(([damage, ...replacement]): CorruptFile => {
      const count = damage === 'swapped' ? 2 : 1;
      const content = `${head}${fields.toSpliced(index, count, ...replacement).join(between)}\n`;
      return {
        name: `${name}, field ${index} ${damage}: ${replacement.join(between).slice(0, 80)}`,
        content,
        outcome: isIntact(kind, content) ? 'shown' : 'rejected',
      };
    });
  });
}
