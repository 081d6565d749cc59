import { seededRandom } from '../../support/data/seeded-random.js';
import type { Sample } from './samples.js';

/** A damaged file. gobonnie must reject it, must show it, or may do either. */
export interface DamagedFile {
  readonly damage: string;
  readonly content: Buffer;
  readonly expected: 'rejected' | 'shown' | 'either';
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
/** A value in a document: its object or array, and its key. */
type Slot = { readonly path: string; readonly parent: { [key: string]: Json }; readonly key: string };

const TRUNCATIONS = 12;
const RANDOM_PLACES = 20;
const OTHER_BYTES = [0, 0xff, 0xc0, 0x80, 0xed, ...Buffer.from('{}[],:"')];
const OTHER_VALUES: readonly Json[] = [
  ...[null, true, '', 'text', '\u001b[2J', 1.5, -1, 0, 5e-324, 1e308, Number.MAX_SAFE_INTEGER + 2],
  ...[[], {}, [null], [[]], [{}], { length: 1 }],
];

/** Yields the sample with damage of every kind. The same seed yields the same files. */
export function* damageSample(sample: Sample, seed: number): Generator<DamagedFile> {
  yield* damageBytes(sample, seed);
  if (sample.isJson) yield* damageValues(sample, seed);
}

/** Truncates the text; flips bits; replaces and removes bytes. */
function* damageBytes(sample: Sample, seed: number): Generator<DamagedFile> {
  const random = seededRandom(seed);
  const whole = Buffer.from(sample.text);
  const end = whole.length - 1;
  const replace = (damage: string, offset: number, removed: number, ...bytes: readonly number[]) => {
    const rest = whole.subarray(offset + removed);
    const content = Buffer.concat([whole.subarray(0, offset), Buffer.from(bytes), rest]);
    return withExpectation(sample, `${damage} at ${offset}`, content);
  };
  for (let index = 0; index < TRUNCATIONS; index++) {
    const offset = Math.floor((index * end) / TRUNCATIONS);
    yield { ...replace('truncated', offset, whole.length), expected: 'rejected' };
  }
  for (let index = 0; index < RANDOM_PLACES; index++) {
    const offset = random.upTo(end - 1);
    yield replace('a bit flipped', offset, 1, (whole[offset] ?? 0) ^ (1 << random.upTo(7)));
    yield replace('another byte', offset, 1, random.oneOf(OTHER_BYTES));
    yield replace('bytes lost', offset, Math.min(1 + random.upTo(11), end - offset));
  }
}

/** Makes each number negative, and removes and replaces random values. */
function* damageValues(sample: Sample, seed: number): Generator<DamagedFile> {
  const random = seededRandom(seed);
  const damage = (kind: string, at: number, change: (slot: Slot) => void) => {
    const document: Json = JSON.parse(sample.text);
    const slot = listSlots(document)[at];
    if (slot) change(slot);
    return withExpectation(sample, `${kind} at ${slot?.path}`, Buffer.from(JSON.stringify(document)));
  };
  const replaceWith =
    (value: Json) =>
    ({ parent, key }: Slot) => {
      parent[key] = value;
    };
  const remove = ({ parent, key }: Slot) => {
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  };
  const slots = listSlots(JSON.parse(sample.text));
  for (const [at, { parent, key }] of slots.entries())
    if (typeof parent[key] === 'number') yield damage('a negative number', at, replaceWith(-1));
  for (let index = 0; index < RANDOM_PLACES; index++) {
    yield damage('a value lost', random.upTo(slots.length - 1), remove);
    const other = random.oneOf(OTHER_VALUES);
    yield damage(JSON.stringify(other), random.upTo(slots.length - 1), replaceWith(other));
  }
}

/** Returns the slots of a document, and of each list only its first item: long lists would be damaged more often. */
function listSlots(parent: Json, parentPath = ''): readonly Slot[] {
  if (typeof parent !== 'object' || parent === null) return [];
  const entries = Object.entries(parent).slice(0, Array.isArray(parent) ? 1 : undefined);
  return entries.flatMap(([key, value]) => {
    const path = `${parentPath}/${key}`;
    return [{ path, parent: parent as Slot['parent'], key }, ...listSlots(value, path)];
  });
}

/** Decides by the published schema if gobonnie must show a damaged document. */
function withExpectation({ isWhole }: Sample, damage: string, content: Buffer): DamagedFile {
  if (!isWhole) return { damage, content, expected: 'either' };
  const text = content.toString();
  const document = text.includes('\0') ? undefined : tryParse(text);
  return { damage, content, expected: isWhole(document) ? 'shown' : 'rejected' };
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
