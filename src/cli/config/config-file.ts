import path from 'node:path';
import { GobonnieError } from '../../errors.js';
import type { OptionRow } from '../../options/option-row.js';
import { INVALID } from '../../options/validate-options.js';
import { display, displayJson, escapeControls } from '../../text/escape.js';
import { findNearest } from '../../text/suggest.js';
import { MIB } from '../../text/units.js';
import { PACKAGE_FILE, PACKAGE_KEY } from '../argv/cli-catalogue.js';
import { getOptionRow, settingRows } from '../argv/option-rows.js';
import { readInputFile } from '../files/input-file.js';
import { configSchema } from './config-schema.js';
import { invalidSettingError, type Layer, type Origin } from './layers.js';

/** Far more than a config file needs. */
const MAX_CONFIG_BYTES = MIB;

/** The JSON of a config file, before validation. */
export interface ConfigDocument {
  /** The path, escaped for messages. */
  readonly file: string;
  /** Relative paths in the file start here. */
  readonly directory: string;
  /** The keys that lead to the options. */
  readonly rootKeys: readonly string[];
  readonly value: unknown;
}

/** A validated config file. */
export interface ConfigFile {
  readonly file: string;
  readonly layer: Layer;
  readonly profiles: ReadonlyMap<string, Layer>;
}

type Json = Readonly<Record<string, unknown>>;

/** Returns null for a package.json without options. */
export async function readConfigDocument(file: string): Promise<ConfigDocument | null> {
  // Some editors write a byte order mark first.
  const text = (await readInputFile(file, MAX_CONFIG_BYTES)).replace(/^\uFEFF/, '');
  // A package.json without our key does not concern gobonnie, even if it is invalid JSON.
  if (isPackageJson(file) && !text.includes(`"${PACKAGE_KEY}"`)) return null;
  const value = parseJson(file, text);
  const document = { file: display(file), directory: path.dirname(path.resolve(file)) };
  if (!isPackageJson(file)) return { ...document, rootKeys: [], value };
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, PACKAGE_KEY)) return null;
  return { ...document, rootKeys: [PACKAGE_KEY], value: (value as Json)[PACKAGE_KEY] };
}

export function isPackageJson(file: string): boolean {
  return path.basename(file) === PACKAGE_FILE;
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw new GobonnieError(
      'option-invalid',
      `${display(file)}${formatErrorPosition(text, message)} is not JSON: ${escapeControls(message.replace(/ in JSON at position .*$/s, ''))}`,
      'JSON has double quotes only, no comments, and no trailing commas',
    );
  }
}

/** Node reports a position for only some errors, and only newer versions report the line. */
function formatErrorPosition(text: string, message: string): string {
  const [, position] = / at position (\d+)/.exec(message) ?? [];
  if (position === undefined) return '';
  const before = text.slice(0, Number(position)).split('\n');
  return `, line ${before.length}, column ${(before.at(-1) ?? '').length + 1},`;
}

/** Throws on the first mistake, even in an unused profile. */
export function validateConfig(document: ConfigDocument): ConfigFile {
  const { data, error } = configSchema.safeParse(document.value);
  if (error) {
    const [issue] = error.issues;
    const keys = (issue?.path ?? []).map(String);
    throw issue?.code === 'unrecognized_keys'
      ? unknownKeyError(document, keys, issue.keys[0] ?? '')
      : wrongValueError(document, keys);
  }
  // Uses the validated data, because zod drops names such as __proto__.
  const profiles = Object.keys(data.profiles ?? {});
  return {
    file: document.file,
    layer: buildLayer(document, []),
    profiles: new Map(profiles.map((name) => [name, buildLayer(document, ['profiles', name])])),
  };
}

function buildLayer(document: ConfigDocument, parentKeys: readonly string[]): Layer {
  const json = valueAt(document.value, parentKeys) as Json;
  const names = Object.keys(settingRows).filter((name) => Object.hasOwn(json, name));
  return new Map(
    names.map((name) => {
      const value = normalizeValue(json[name], getOptionRow(name), document.directory);
      return [name, { value, origin: buildOrigin(document, parentKeys, name) }];
    }),
  );
}

/** Returns the value that a flag would have, with paths resolved against the file's directory. */
function normalizeValue(value: unknown, { repeatable, argument }: OptionRow, directory: string): unknown {
  const rawValue = repeatable ? [value].flat() : value;
  if (argument !== 'FILE' && argument !== 'DIR') return rawValue;
  // "-" is stdin. Keep an empty path, and a Windows server without a share, for validation to reject.
  const isKeptAsIs = (entry: unknown) => entry === '-' || entry === '' || /^[\\/]{2}/.test(String(entry));
  const resolveEntry = (entry: unknown) =>
    isKeptAsIs(entry) ? entry : path.resolve(directory, String(entry));
  return Array.isArray(rawValue) ? rawValue.map(resolveEntry) : resolveEntry(rawValue);
}

const OPTIONS_OBJECT = ['an object of options', '{ "size": 0.5 }'] as const;
/** The keys that are not options, with an example of each. */
const OTHER_KEYS: Readonly<Record<string, readonly [expects: string, example: string]>> = {
  $schema: [
    'the address of a JSON Schema',
    '"$schema": "./node_modules/gobonnie/schema/gobonnie-config.schema.json"',
  ],
  profiles: ['an object of profiles', '"profiles": { "ci": { "size": 0.5 } }'],
};

function wrongValueError(document: ConfigDocument, keys: readonly string[]): GobonnieError {
  const parentKeys = keys.length > 1 && keys[0] === 'profiles' ? keys.slice(0, 2) : [];
  const option = keys[parentKeys.length] ?? '';
  if (Object.hasOwn(settingRows, option)) {
    const value = valueAt(document.value, [...parentKeys, option]);
    return invalidSettingError(buildOrigin(document, parentKeys, option), option, value);
  }
  const [expects, example] = OTHER_KEYS[option] ?? OPTIONS_OBJECT;
  const wrong =
    `${formatKeyPath([...document.rootKeys, ...keys])} ${displayJson(valueAt(document.value, keys))}`.trim();
  return new GobonnieError(
    'option-invalid',
    `${document.file}: ${INVALID}${wrong}: expected ${expects}`,
    `for example, ${example}`,
  );
}

function unknownKeyError(
  document: ConfigDocument,
  parentKeys: readonly string[],
  key: string,
): GobonnieError {
  const knownKeys = Object.keys(parentKeys.length === 0 ? { ...settingRows, ...OTHER_KEYS } : settingRows);
  const suggestion = findNearest(key, knownKeys);
  return new GobonnieError(
    'option-unknown',
    `${document.file}: ${formatKeyPath([...document.rootKeys, ...parentKeys, key])} is not an option`,
    suggestion ? `did you mean "${suggestion}"?` : 'see gobonnie --help; --io-size is "ioSize" here',
  );
}

function buildOrigin(
  { file, rootKeys }: ConfigDocument,
  parentKeys: readonly string[],
  option: string,
): Origin {
  return { file, name: formatKeyPath([...rootKeys, ...parentKeys, option]) };
}

/** Returns a path such as `profiles.ci.size`. */
function formatKeyPath(keys: readonly string[]): string {
  return keys.map((key) => (/^[\w$+-]+$/.test(key) ? key : displayJson(key))).join('.');
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((part, key) => (part as Json)[key], value);
}
