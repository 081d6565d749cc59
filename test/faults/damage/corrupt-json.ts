import type { SeededRandom } from '../../support/data/seeded-random.js';
import { type CorruptFile, isIntact } from './corrupt-file.js';
import {
  findSlots,
  getSlot,
  type Json,
  type JsonSlot,
  type JsonSlots,
  pickSlot,
  removeSlot,
  setSlot,
} from './json-slots.js';
import type { SampleFile } from './sample-files.js';

/** Placeholder for text that is not JSON. */
const RAW = '\ue000';

const OTHER_VALUES: readonly Json[] = [
  null,
  true,
  '',
  'text',
  1.5,
  -1,
  1e300,
  [],
  {},
  [null],
  [[]],
  [{}],
  { length: 1 },
];
const NUMBERS = (
  'NaN Infinity -Infinity 1e400 -1e400 0x10 01 +1 1. .5 1e - 1_0 1,5 １ 1n --1 -0 -1 1.5 1e308 ' +
  `1.7976931348623157e308 9007199254740993 5e-324 0 ${'9'.repeat(400)}`
).split(' ');
const KEYS =
  '__proto__ constructor toString hasOwnProperty prototype \u001b[2J then toJSON schema results runs'.split(
    ' ',
  );
const DEEP = `${'['.repeat(500)}${']'.repeat(500)}`;

/** Returns the text that replaces RAW, or undefined. */
type Change = (slot: JsonSlot, slots: JsonSlots) => string | undefined;

/** Removes, replaces and swaps values, invalidates numbers, doubles keys and adds special keys, `times` times each. */
export function corruptJson(
  random: SeededRandom,
  sampleFile: SampleFile,
  times: number,
): readonly CorruptFile[] {
  const { name, kind, text } = sampleFile;
  const damageAtRandom = (damage: string, change: Change) =>
    Array.from({ length: times }, (): CorruptFile => {
      const document: Json = JSON.parse(text);
      const slots = findSlots(document);
      const slot = pickSlot(random, slots);
      const raw = change(slot, slots);
      const content = insertRaw(JSON.stringify(document), raw);
      return {
        name: `${name}, ${damage} at ${slot.path}: ${raw?.slice(0, 80)}`,
        content,
        outcome: isIntact(kind, content) ? 'shown' : 'rejected',
      };
    });
  return [
    ...damageAtRandom('a value lost', (slot) => {
      removeSlot(slot);
      return undefined;
    }),
    ...damageAtRandom('another value', (slot) => {
      setSlot(slot, RAW);
      return JSON.stringify(random.oneOf(OTHER_VALUES));
    }),
    ...damageAtRandom('swapped values', (slot, slots) => {
      const isSeparate = ({ path }: JsonSlot) => !path.startsWith(slot.path) && !slot.path.startsWith(path);
      const other = pickSlot(random, slots, isSeparate);
      const value = getSlot(slot);
      setSlot(slot, getSlot(other));
      setSlot(other, value);
      return undefined;
    }),
    ...damageAtRandom('a number', (_, slots) => {
      setSlot(
        pickSlot(random, slots, (slot) => typeof getSlot(slot) === 'number'),
        RAW,
      );
      return random.oneOf(NUMBERS);
    }),
    ...damageAtRandom('a key twice', (_, slots) => {
      const { parent, key } = pickSlot(random, slots, (slot) => !Array.isArray(slot.parent));
      const sameValue = getSlot({ parent, key, path: '' });
      setSlot({ parent, key: RAW }, null);
      return `${JSON.stringify(key)}:${JSON.stringify(random.chance(0.5) ? sameValue : random.oneOf(OTHER_VALUES))}`;
    }),
    ...damageAtRandom('a special key', (_, slots) => {
      setSlot({ ...pickSlot(random, slots, (slot) => !Array.isArray(slot.parent)), key: RAW }, null);
      const value = random.chance(0.2) ? DEEP : JSON.stringify(random.oneOf(OTHER_VALUES));
      return `${JSON.stringify(random.oneOf(KEYS))}:${value}`;
    }),
    ...corruptTokens(random, sampleFile, times),
  ];
}

/** Removes, doubles and swaps brackets, commas, colons and quotes. */
function corruptTokens(
  random: SeededRandom,
  { name, kind, text }: SampleFile,
  times: number,
): readonly CorruptFile[] {
  const tokens = [...text.matchAll(/[{}[\],:"]/g)];
  return Array.from({ length: times }, () => {
    const { 0: token, index } = random.oneOf(tokens);
    const replacement = random.oneOf(['', token + token, ...'{}[],:"'].filter((other) => other !== token));
    const content = text.slice(0, index) + replacement + text.slice(index + 1);
    return {
      name: `${name}, ${replacement} for ${token} at ${index}: …${text.slice(Math.max(0, index - 40), index + 40)}…`,
      content,
      outcome: isIntact(kind, content) ? 'shown' : 'rejected',
    };
  });
}

/** Replaces RAW, which is a value, or a key whose value is null. */
function insertRaw(json: string, raw: string | undefined): string {
  if (raw === undefined) return json;
  return json.replace(`"${RAW}":null`, () => raw).replace(`"${RAW}"`, () => raw);
}
