import { lstat, stat } from 'node:fs/promises';
import path from 'node:path';
import type * as z from 'zod';
import { GobonnieError, optionError } from '../../errors.js';
import type { OptionRow } from '../../options/option-row.js';
import { invalidOptionError, stepError } from '../../options/validate-options.js';
import { canOthersWrite, isOwnedByUsOrRoot } from '../../scratch/own-files.js';
import { display, escapeControls } from '../../text/escape.js';
import { flag, msg } from '../../text/message-template.js';
import { findNearest } from '../../text/suggest.js';
import { MIB } from '../../text/units.js';
import { CONFIG_FILE, getOptionRow, PACKAGE_FILE, PACKAGE_KEY, settingRows } from '../argv/cli-catalogue.js';
import { configSchema } from '../argv/cli-options.js';
import { readInputFile } from '../files/input-file.js';
import { addOrigins, type OptionSource } from './option-source.js';

const MAX_CONFIG_BYTES = MIB;

/** The options in a file, and the directory where relative paths in it start. */
interface ConfigDocument {
  /** Escaped for messages. */
  readonly file: string;
  readonly directory: string;
  readonly value: unknown;
}

export type ConfigFile = ReturnType<typeof validateConfig>;

type Json = Readonly<Record<string, unknown>>;

/** Null for a package.json without options. */
async function readConfigDocument(file: string): Promise<ConfigDocument | null> {
  const text = await readInputFile(file, MAX_CONFIG_BYTES).catch((cause: Error) => {
    throw optionError(cause.message, 'pass a readable file with --config, or pass --no-config', { cause });
  });
  // A package.json without our key does not concern gobonnie, even if it is invalid JSON.
  if (isPackageJson(file) && !text.includes(`"${PACKAGE_KEY}"`)) return null;
  const value = parseJson(file, text);
  const document = { file: display(file), directory: path.dirname(path.resolve(file)) };
  if (!isPackageJson(file)) return { ...document, value };
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, PACKAGE_KEY)) return null;
  return { ...document, value: (value as Json)[PACKAGE_KEY] };
}

function isPackageJson(file: string): boolean {
  return path.basename(file) === PACKAGE_FILE;
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as SyntaxError;
    throw optionError(
      `${display(file)} is not JSON: ${escapeControls(message)}`,
      'JSON has double quotes only, no comments, and no trailing commas',
    );
  }
}

/** Throws on the first mistake, even in an unused profile. */
export function validateConfig(document: ConfigDocument) {
  const { data, error } = configSchema.safeParse(document.value);
  if (error) throw configError(document, error.issues[0]);
  // The names come from the validated data, because zod drops names such as __proto__.
  const names = Object.keys(data.profiles ?? {});
  return {
    file: document.file,
    options: optionsAt(document, []),
    profiles: new Map(names.map((name) => [name, optionsAt(document, ['profiles', name])])),
  };
}

function optionsAt({ file, directory, value }: ConfigDocument, keys: readonly string[]): OptionSource {
  const json = valueAt(value, keys) as Json;
  const names = Object.keys(settingRows).filter((name) => Object.hasOwn(json, name));
  return new Map(
    names.map((name) => {
      const origin = formatKey([...keys, name], file);
      return [name, { value: normalizeValue(json[name], getOptionRow(name), directory), origin }];
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

/** The remedies for flags that are no keys. */
const KEY_HINTS = new Map([
  ['procs', 'it is called "threads" here'],
  ['beside', 'add it to its step: "steps": ["read+write"]'],
  ['profile', 'pass --profile NAME, or set GOBONNIE_PROFILE'],
]);

function configError({ file, value }: ConfigDocument, issue: z.core.$ZodIssue | undefined): GobonnieError {
  // A list may also be a single text: zod reports the problems of the text, and then those of the list.
  const inList = issue?.code === 'invalid_union' ? issue.errors.at(-1)?.[0] : undefined;
  const keys = [...(issue?.path ?? []), ...(inList?.path ?? [])].map(String);
  const unknownKey = issue?.code === 'unrecognized_keys' ? (issue.keys[0] ?? '') : undefined;
  const optionKeys = keys.slice(0, keys[0] === 'profiles' ? 3 : 1);
  const option = optionKeys.at(-1) ?? '';
  const stepKeys = option === 'steps' ? keys.slice(optionKeys.length) : [];
  if (unknownKey !== undefined && stepKeys.length === 0) {
    const suggestion = findNearest(unknownKey, Object.keys(settingRows));
    const hint = suggestion
      ? `did you mean "${suggestion}"?`
      : 'see gobonnie --help; --io-size is "ioSize" here';
    return new GobonnieError(
      'option-unknown',
      `${formatKey([...keys, unknownKey], file)} is not an option`,
      KEY_HINTS.get(unknownKey) ?? hint,
    );
  }
  if (Object.hasOwn(settingRows, option)) {
    const wrong = valueAt(value, optionKeys);
    const error =
      stepKeys.length > 0
        ? stepError(stepKeys, unknownKey, wrong)
        : invalidOptionError(option, getOptionRow(option), wrong);
    return addOrigins(error, [formatKey(optionKeys, file)]);
  }
  return optionError(
    `${keys.length > 0 ? formatKey(keys, file) : file} is not ${option === '$schema' ? 'text' : 'an object'}`,
    'for example, { "size": 0.5, "profiles": { "ci": { "size": 0.1 } } }',
  );
}

/** Returns `profiles.ci.size in gobonnie.config.json`. */
function formatKey(keys: readonly string[], file: string): string {
  return `${display(keys.join('.'))} in ${file}`;
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((part, key) => (part as Json)[key], value);
}

/**
 * Reads the file of --config, otherwise the config file that the search finds. `ignored` are the paths of config files
 * that other users may have written, escaped for messages.
 */
export async function loadConfig(config: string | undefined) {
  if (config === undefined) return searchConfig();
  const document = await readConfigDocument(config);
  if (document) return { document, ignored: [] };
  throw optionError(
    msg`${flag('config', config)} has no key "${PACKAGE_KEY}"`,
    `add, for example, "${PACKAGE_KEY}": { "size": 0.5 }`,
  );
}

/** Searches the working directory and then its parents, up to the first config file. */
async function searchConfig() {
  const ignored: string[] = [];
  for (const file of listCandidates()) {
    if (!(await stat(file).catch(() => null))?.isFile()) continue;
    const filePath = path.relative('', file);
    if (await isWrittenByUs(file).catch(() => false)) {
      const document = await readConfigDocument(filePath);
      if (document) return { document, ignored };
    } else if (await isConfigFile(filePath)) {
      ignored.push(display(filePath));
    }
  }
  return { document: null, ignored };
}

/** Returns no candidates if the working directory was removed. */
function listCandidates(): readonly string[] {
  const candidates: string[] = [];
  try {
    for (let directory = path.resolve(); ; directory = path.dirname(directory)) {
      candidates.push(path.join(directory, CONFIG_FILE), path.join(directory, PACKAGE_FILE));
      if (directory === path.dirname(directory)) return candidates;
    }
  } catch {
    return [];
  }
}

/** False for a package.json that is invalid or does not have our key. */
async function isConfigFile(filePath: string): Promise<boolean> {
  return !isPackageJson(filePath) || (await readConfigDocument(filePath).catch(() => null)) !== null;
}

const ROOT = 0;

/**
 * True if only this user and root can have written the file. Unless the user is root, this includes the user's own groups:
 * colleagues who share a checkout already control what npm runs there. In parent directories, root trusts nobody.
 */
async function isWrittenByUs(file: string): Promise<boolean> {
  if (process.geteuid === undefined) return true;
  const isRoot = process.geteuid() === ROOT;
  const directory = path.dirname(file);
  if (isRoot && directory !== process.cwd()) return false;
  const ownGroups = isRoot ? [] : (process.getgroups?.() ?? []);
  // The file may be a link.
  if (!isOwnedByUsOrRoot(await lstat(file))) return false;
  const checked = [await stat(file), await stat(directory)];
  return checked.every((stats) => isOwnedByUsOrRoot(stats) && !canOthersWrite(stats, ownGroups));
}
