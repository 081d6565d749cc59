import type { SeededRandom } from '../../support/data/seeded-random.js';
import { type Damaged, isWhole } from './damage.js';
import { get, type Json, type Place, type Places, placeIn, placesOf, remove, set } from './places.js';
import type { Specimen } from './specimens.js';

/** Stands for text that is not JSON. */
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

/** Returns the text that replaces RAW, if any. */
type Change = (place: Place, places: Places) => string | undefined;

/** Removes, replaces and swaps values, invalidates numbers, doubles keys and adds special ones, each `times` times. */
export function jsonDamage(random: SeededRandom, specimen: Specimen, times: number): readonly Damaged[] {
  const { name, kind, text } = specimen;
  const damage = (what: string, change: Change) =>
    Array.from({ length: times }, (): Damaged => {
      const document: Json = JSON.parse(text);
      const places = placesOf(document);
      const place = placeIn(random, places);
      const raw = change(place, places);
      const content = withRaw(JSON.stringify(document), raw);
      return {
        name: `${name}, ${what} at ${place.path}: ${raw?.slice(0, 80)}`,
        content,
        verdict: isWhole(kind, content) ? 'shown' : 'refused',
      };
    });
  return [
    ...damage('a value lost', (place) => {
      remove(place);
      return undefined;
    }),
    ...damage('another value', (place) => {
      set(place, RAW);
      return JSON.stringify(random.oneOf(OTHER_VALUES));
    }),
    ...damage('values that have changed places', (place, places) => {
      const isApart = ({ path }: Place) => !path.startsWith(place.path) && !place.path.startsWith(path);
      const other = placeIn(random, places, isApart);
      const value = get(place);
      set(place, get(other));
      set(other, value);
      return undefined;
    }),
    ...damage('a number', (_, places) => {
      set(
        placeIn(random, places, (place) => typeof get(place) === 'number'),
        RAW,
      );
      return random.oneOf(NUMBERS);
    }),
    ...damage('a key twice', (_, places) => {
      const { holder, key } = placeIn(random, places, (place) => !Array.isArray(place.holder));
      const again = get({ holder, key, path: '' });
      set({ holder, key: RAW }, null);
      return `${JSON.stringify(key)}:${JSON.stringify(random.chance(0.5) ? again : random.oneOf(OTHER_VALUES))}`;
    }),
    ...damage('a key that means something', (_, places) => {
      set({ ...placeIn(random, places, (place) => !Array.isArray(place.holder)), key: RAW }, null);
      const value = random.chance(0.2) ? DEEP : JSON.stringify(random.oneOf(OTHER_VALUES));
      return `${JSON.stringify(random.oneOf(KEYS))}:${value}`;
    }),
    ...tokenDamage(random, specimen, times),
  ];
}

/** Removes, doubles and swaps brackets, commas, colons and quotes. */
function tokenDamage(
  random: SeededRandom,
  { name, kind, text }: Specimen,
  times: number,
): readonly Damaged[] {
  const tokens = [...text.matchAll(/[{}[\],:"]/g)];
  return Array.from({ length: times }, () => {
    const { 0: token, index } = random.oneOf(tokens);
    const instead = random.oneOf(['', token + token, ...'{}[],:"'].filter((other) => other !== token));
    const content = text.slice(0, index) + instead + text.slice(index + 1);
    return {
      name: `${name}, ${instead} for ${token} at ${index}: …${text.slice(Math.max(0, index - 40), index + 40)}…`,
      content,
      verdict: isWhole(kind, content) ? 'shown' : 'refused',
    };
  });
}

/** RAW is a value, or a key without a value. */
function withRaw(json: string, raw: string | undefined): string {
  if (raw === undefined) return json;
  return json.replace(`"${RAW}":null`, () => raw).replace(`"${RAW}"`, () => raw);
}
