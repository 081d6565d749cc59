import type { SeededRandom } from '../../support/data/seeded-random.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A place in a document: the object or array, and the key. */
export interface JsonSlot {
  readonly holder: Json[] | { [key: string]: Json };
  readonly key: string;
  readonly path: string;
}

/** Every place of a document by its path without indexes: the items of a list are alike. */
export type JsonSlots = ReadonlyMap<string, readonly JsonSlot[]>;

export function findSlots(document: Json): JsonSlots {
  const sorts = new Map<string, JsonSlot[]>();
  const collect = (holder: Json, path: string, sort: string) => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const [key, value] of Object.entries(holder)) {
      const next = `${sort}/${Array.isArray(holder) ? '' : key}`;
      const slot = { holder, key, path: `${path}/${key}` };
      sorts.set(next, [...(sorts.get(next) ?? []).slice(-9), slot]);
      collect(value, slot.path, next);
    }
  };
  collect(document, '', '');
  return sorts;
}

export function pickSlot(
  random: SeededRandom,
  slots: JsonSlots,
  predicate: (slot: JsonSlot) => boolean = () => true,
): JsonSlot {
  const sorts = [...slots.values()].map((some) => some.filter(predicate)).filter(({ length }) => length > 0);
  return random.oneOf(random.oneOf(sorts));
}

export function getSlot({ holder, key }: JsonSlot): Json {
  return new Map(Object.entries(holder)).get(key) ?? null;
}

export function setSlot({ holder, key }: Pick<JsonSlot, 'holder' | 'key'>, value: Json): void {
  Object.assign(holder, { [key]: value });
}

export function removeSlot({ holder, key }: JsonSlot): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}
