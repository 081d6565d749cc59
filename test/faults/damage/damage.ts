import { seededRandom } from '../../support/data/seeded-random.js';
import { splitWords } from '../split-words.js';
import type { Sample } from './samples.js';

/** A damaged file. gobonnie must reject it, must show it, or may do either. */
export interface DamagedFile {
  readonly damage: string;
  readonly content: Buffer;
  readonly expected: 'rejected' | 'shown' | 'either';
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A value in a document: its object or array, and its key. */
interface Slot {
  readonly parent: { [key: string]: Json };
  readonly key: string;
}

const TRUNCATIONS = 24;
const RANDOM_BYTES = 25;
const RANDOM_VALUES = 25;
/** Stands for raw text in a document, because the text may not be JSON. */
const RAW = '\ue000';
/** Text in place of a value or a number. */
const RAW_VALUES = [
  ...splitWords(
    'null true "" "text" 1.5 -1 0 [] {} [null] [[]] [{}] {"length":1} NaN -Infinity 1e400 0x10 01',
  ),
  ...splitWords('+1 1. .5 1e - 1_0 1,5 １ 1n --1 1e308 9007199254740993 5e-324'),
  '9'.repeat(400),
];
const RAW_KEYS = splitWords(
  '__proto__ constructor toString prototype \\u001b[2J then toJSON schema results runs',
);
/** Yields the sample with damage of every kind. The same seed yields the same files. */
export function* damageSample(sample: Sample, seed: number): Generator<DamagedFile> {
  yield* damageBytes(sample, seed);
  if (sample.isJson) yield* damageValues(sample, seed);
}

/** Truncates the text; flips bits; replaces, inserts, removes and doubles bytes. */
function* damageBytes(sample: Sample, seed: number): Generator<DamagedFile> {
  const random = seededRandom(seed);
  const whole = Buffer.from(sample.text);
  const end = whole.length - 1;
  const create = (damage: string, offset: number, skipped: number, bytes: readonly number[]) => {
    const content = Buffer.concat([
      whole.subarray(0, offset),
      Buffer.from(bytes),
      whole.subarray(offset + skipped),
    ]);
    return withExpectation(sample, `${damage} at ${offset}`, content);
  };
  for (let index = 0; index < TRUNCATIONS; index++) {
    const offset = Math.floor((index * end) / TRUNCATIONS);
    yield { ...create('truncated', offset, whole.length, []), expected: 'rejected' };
  }
  for (let index = 0; index < RANDOM_BYTES; index++) {
    const offset = random.upTo(end - 1);
    const length = Math.min(1 + random.upTo(11), end - offset);
    yield create('a bit flipped', offset, 1, [(whole[offset] ?? 0) ^ (1 << random.upTo(7))]);
    yield create('another byte', offset, 1, [
      random.oneOf([0, 0xff, 0xc0, 0x80, 0xed, ...Buffer.from('{}[],:"')]),
    ]);
    yield create('bytes lost', offset, length, []);
    yield create('bytes doubled', offset, 0, [...whole.subarray(offset, offset + length)]);
  }
}

/** Makes each number negative; removes, replaces and swaps random values, and adds keys. */
function* damageValues(sample: Sample, seed: number): Generator<DamagedFile> {
  const random = seededRandom(seed);
  for (const path of slotsByPath(JSON.parse(sample.text)).keys()) {
    const document: Json = JSON.parse(sample.text);
    const [slot] = slotsByPath(document).get(path) ?? [];
    if (typeof slot?.parent[slot.key] !== 'number') continue;
    slot.parent[slot.key] = -1;
    yield withExpectation(sample, `-1 at ${path}`, Buffer.from(JSON.stringify(document)));
  }
  const damages: Readonly<Record<string, (slot: Slot, other: Slot) => string>> = {
    'a value lost': ({ parent, key }) => {
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
      return '';
    },
    'another value': ({ parent, key }) => {
      parent[key] = RAW;
      return random.oneOf(RAW_VALUES);
    },
    'the value of another key': ({ parent, key }, other) => {
      parent[key] = structuredClone(other.parent[other.key] ?? null);
      return '';
    },
    'another key': ({ parent }) => {
      if (!Array.isArray(parent)) parent[RAW] = null;
      const key = random.oneOf([...RAW_KEYS, ...Object.keys(parent)]).replace(RAW, '');
      return `"${key}":${random.oneOf(RAW_VALUES)}`;
    },
  };
  for (let index = 0; index < RANDOM_VALUES; index++)
    for (const [damage, change] of Object.entries(damages)) {
      const document: Json = JSON.parse(sample.text);
      const slots = [...slotsByPath(document)];
      const [path, candidates] = random.oneOf(slots);
      const [, others] = random.oneOf(slots);
      const raw = change(random.oneOf(candidates), random.oneOf(others));
      const text = JSON.stringify(document);
      const content = text.replace(`"${RAW}":null`, () => raw).replace(`"${RAW}"`, () => raw);
      yield withExpectation(sample, `${damage} at ${path}: ${raw.slice(0, 80)}`, Buffer.from(content));
    }
}

/** Returns the slots of a document by path without indexes, so a long list is not damaged more often than other values. */
function slotsByPath(document: Json): ReadonlyMap<string, readonly Slot[]> {
  const slots = new Map<string, Slot[]>();
  const collect = (parent: Json, parentPath: string) => {
    if (typeof parent !== 'object' || parent === null) return;
    for (const [key, value] of Object.entries(parent)) {
      const path = Array.isArray(parent) ? `${parentPath}/*` : `${parentPath}/${key}`;
      slots.set(path, [...(slots.get(path) ?? []).slice(-9), { parent: parent as Slot['parent'], key }]);
      collect(value, path);
    }
  };
  collect(document, '');
  return slots;
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
