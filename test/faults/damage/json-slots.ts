import type { SeededRandom } from '../../support/data/seeded-random.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Position of a value in a document: its object or array, and its key. */
export interface JsonSlot {
  readonly parent: Json[] | { [key: string]: Json };
  readonly key: string;
  readonly path: string;
}

/** Slots of a document by path without indexes, because items of a list are alike. */
export type JsonSlots = ReadonlyMap<string, readonly JsonSlot[]>;

export function findSlots(document: Json): JsonSlots {
  const slotsByPattern = new Map<string, JsonSlot[]>();
  const collect = (parent: Json, path: string, pattern: string) => {
    if (typeof parent !== 'object' || parent === null) return;
    for (const [key, value] of Object.entries(parent)) {
      const next = `${pattern}/${Array.isArray(parent) ? '' : key}`;
      const slot = { parent, key, path: `${path}/${key}` };
      slotsByPattern.set(next, [...(slotsByPattern.get(next) ?? []).slice(-9), slot]);
      collect(value, slot.path, next);
    }
  };
  collect(document, '', '');
  return slotsByPattern;
}

export function pickSlot(
  random: SeededRandom,
  slots: JsonSlots,
  predicate: (slot: JsonSlot) => boolean = () => true,
): JsonSlot {
  const groups = [...slots.values()]
    .map((group) => group.filter(predicate))
    .filter(({ length }) => length > 0);
  return random.oneOf(random.oneOf(groups));
}

export function getSlot({ parent, key }: JsonSlot): Json {
  return new Map(Object.entries(parent)).get(key) ?? null;
}

export function setSlot({ parent, key }: Pick<JsonSlot, 'parent' | 'key'>, value: Json): void {
  Object.assign(parent, { [key]: value });
}

export function removeSlot({ parent, key }: JsonSlot): void {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
}
