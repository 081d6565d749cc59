import type { SeededRandom } from '../../support/data/seeded-random.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A place in a document: the object or array, and the key. */
export interface Place {
  readonly holder: Json[] | { [key: string]: Json };
  readonly key: string;
  readonly path: string;
}

/** Every place of a document by its path without indexes: the items of a list are alike. */
export type Places = ReadonlyMap<string, readonly Place[]>;

export function placesOf(document: Json): Places {
  const sorts = new Map<string, Place[]>();
  const collect = (holder: Json, path: string, sort: string) => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const [key, value] of Object.entries(holder)) {
      const next = `${sort}/${Array.isArray(holder) ? '' : key}`;
      const place = { holder, key, path: `${path}/${key}` };
      sorts.set(next, [...(sorts.get(next) ?? []).slice(-9), place]);
      collect(value, place.path, next);
    }
  };
  collect(document, '', '');
  return sorts;
}

export function placeIn(
  random: SeededRandom,
  places: Places,
  isMeant: (place: Place) => boolean = () => true,
): Place {
  const sorts = [...places.values()].map((some) => some.filter(isMeant)).filter(({ length }) => length > 0);
  return random.oneOf(random.oneOf(sorts));
}

export function get({ holder, key }: Place): Json {
  return new Map(Object.entries(holder)).get(key) ?? null;
}

export function set({ holder, key }: Pick<Place, 'holder' | 'key'>, value: Json): void {
  Object.assign(holder, { [key]: value });
}

export function remove({ holder, key }: Place): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}
