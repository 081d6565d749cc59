import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import { shownJson } from '../../text/escape.js';
import { nearest } from '../../text/suggest.js';
import type { Given } from '../argv/asked.js';
import { rowNamed, settingRows } from '../argv/option-rows.js';
import type { PresentationRow } from '../argv/presentation-catalogue.js';
import type { Document } from './document.js';
import type { Layer } from './layer.js';
import { type Place, refusalAt } from './layer.js';
import { configSchema } from './schema.js';

/** A config file that is valid as a whole. */
export interface ConfigFile {
  readonly file: string;
  readonly layer: Layer;
  readonly profiles: ReadonlyMap<string, Layer>;
}

type Json = Readonly<Record<string, unknown>>;

/** What a file holds besides options. */
const STRUCTURE = {
  whole: { expects: 'an object of options', example: '{ "size": 0.5 }' },
  $schema: {
    expects: 'the address of a JSON Schema',
    example: '"$schema": "./node_modules/gobonnie/schema/gobonnie-config.schema.json"',
  },
  profiles: { expects: 'an object of profiles', example: '"profiles": { "ci": { "size": 0.5 } }' },
  profile: { expects: 'an object of options', example: '"ci": { "size": 0.5 }' },
} as const;

/** Refuses the first mistake, even in a profile that is not used. */
export function judgeDocument(document: Document): ConfigFile {
  const verdict = configSchema.safeParse(document.value);
  if (!verdict.success) {
    const [issue] = verdict.error.issues;
    const keys = (issue?.path ?? []).map(String);
    throw issue?.code === 'unrecognized_keys'
      ? unknownKey(document, keys, issue.keys[0] ?? '')
      : wrongValue(document, keys);
  }
  const whole = document.value as Json;
  const layerAt = (keys: readonly string[]): Layer => ({
    given: givenIn(valueAt(whole, keys) as Json, document.directory),
    place: placeAt(document, keys),
  });
  // By what the schema let through: it drops names such as __proto__.
  const profiles = Object.keys(verdict.data.profiles ?? {});
  return {
    file: document.file,
    layer: layerAt([]),
    profiles: new Map(profiles.map((name) => [name, layerAt(['profiles', name])])),
  };
}

/** The options as flags would give them, with paths relative to the file. */
function givenIn(json: Json, directory: string): Given {
  const names = Object.keys(settingRows).filter((name) => Object.hasOwn(json, name));
  return Object.fromEntries(
    names.map((name) => {
      const row = rowNamed(name);
      const value = row.repeatable ? [json[name]].flat() : json[name];
      return [name, isPath(row) ? resolved(value, directory) : value];
    }),
  );
}

function isPath({ argument }: PresentationRow): boolean {
  return argument === 'FILE' || argument === 'DIR';
}

function resolved(value: unknown, directory: string): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, directory));
  // Neither stdin nor what is refused anyway is a path.
  return value === '-' || value === '' ? value : path.resolve(directory, String(value));
}

function wrongValue(document: Document, keys: readonly string[]): GobonnieError {
  const isInProfile = keys[0] === 'profiles' && keys.length > 2;
  const [option = 'whole', ...deeper] = isInProfile ? keys.slice(2) : keys;
  const owner = isInProfile ? keys.slice(0, 2) : [];
  if (Object.hasOwn(settingRows, option))
    return refusalAt(placeAt(document, owner), option, valueAt(document.value, [...owner, option]));
  const part = option === 'profiles' && deeper.length > 0 ? 'profile' : option;
  const { expects, example } = STRUCTURE[part as keyof typeof STRUCTURE];
  const named = [spelled([...document.at, ...keys]), shownJson(valueAt(document.value, keys))];
  return new GobonnieError(
    'option-invalid',
    `${document.file}: ${named.filter(Boolean).join(' ')} is not ${expects}`,
    `write for example ${example}`,
  );
}

function unknownKey(document: Document, owner: readonly string[], key: string): GobonnieError {
  const others = owner.length === 0 ? ['profiles', '$schema'] : [];
  const near = nearest(key, [...Object.keys(settingRows), ...others]);
  return new GobonnieError(
    'option-unknown',
    `${document.file}: ${spelled([...document.at, ...owner, key])} is not an option`,
    near ? `did you mean "${near}"?` : 'see gobonnie --help; --io-size is "ioSize" here',
  );
}

function placeAt({ file, at }: Document, owner: readonly string[]): Place {
  const nameOf = (option: string) => spelled([...at, ...owner, option]);
  return {
    heading: file,
    nameOf,
    withValue: (option, value) => `${nameOf(option)} ${shownJson(value)}`,
    wayOut: (option) => `write for example "${option}": ${exampleOf(rowNamed(option))}`,
  };
}

function exampleOf({ argument, example, repeatable }: PresentationRow): string {
  if (argument === null) return 'true';
  // Without the quotes for the shell.
  const bare = example.replace(/^'(.*)'$/, '$1');
  const value = /^\d+(\.\d+)?$/.test(bare) ? bare : JSON.stringify(bare);
  return repeatable ? `[${value}]` : value;
}

function spelled(keys: readonly string[]): string {
  return keys.map((key) => (/^[\w$+-]+$/.test(key) ? key : shownJson(key))).join('.');
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((part, key) => (part as Json)[key], value);
}
