import { GobonnieError } from '../../errors.js';
import type { OptionRow } from '../../options/option-row.js';
import { INVALID, invalidOptionError } from '../../options/validate-options.js';
import { display, displayJson } from '../../text/escape.js';
import { type MessageTemplate, mapOptionRefs, type OptionRef } from '../../text/message-template.js';
import { getOptionRow, optionRows, type RawOptions } from '../argv/option-rows.js';
import { optionSchemas } from './config-schema.js';

/** The options of one source, or of several merged sources, by name. */
export type Layer = ReadonlyMap<string, Setting>;

interface Setting {
  readonly value: unknown;
  /** Null for a flag. */
  readonly origin: Origin | null;
}

/** Where an option was set, if not by a flag. */
export interface Origin {
  /** The config file, escaped for messages. Null for a variable. */
  readonly file: string | null;
  /** The option's name in that source: `profiles.ci.size`, `GOBONNIE_SIZE`. */
  readonly name: string;
}

export function layerFromFlags(raw: RawOptions): Layer {
  return new Map(Object.entries(raw).map(([name, value]) => [name, { value, origin: null }]));
}

/** Keeps contradicting options of the same source: validation rejects them later. */
export function mergeLayers(weaker: Layer, stronger: Layer): Layer {
  const merged = new Map(weaker);
  // A switch that is turned off excludes nothing.
  for (const [name, { value }] of stronger)
    if (value !== false) for (const excluded of findExclusions(name)) merged.delete(excluded);
  return new Map([...merged, ...stronger]);
}

function findExclusions(name: string): readonly string[] {
  const excluding = Object.entries(optionRows).filter(([, { excludes }]) => excludes?.includes(name));
  return [...(getOptionRow(name).excludes ?? []), ...excluding.map(([other]) => other)];
}

export function toRawOptions(layer: Layer): RawOptions {
  return Object.fromEntries([...layer].map(([name, { value }]) => [name, value]));
}

/** Returns the error for an invalid value. Its hint shows a valid value. */
export function invalidSettingError(origin: Origin, option: string, value: unknown): GobonnieError {
  const row = getOptionRow(option);
  const { code, templates } = invalidOptionError(option, row, value);
  const hint =
    origin.file === null
      ? `for example, ${origin.name}=${row.example}`
      : `for example, "${option}": ${formatJsonExample(row)}`;
  return new GobonnieError(
    code,
    addOriginsToMessage(new Map([[option, { value, origin }]]), templates.message),
    hint,
  );
}

function formatJsonExample({ example }: OptionRow): string {
  const withoutQuotes = example.replace(/^'(.*)'$/, '$1');
  return /^(true|\d+(\.\d+)?)$/.test(withoutQuotes) ? withoutQuotes : JSON.stringify(withoutQuotes);
}

/** Names the options in the error as the user wrote them. The hint keeps the flags, because flags win. */
export function addOriginsToError(settings: Layer, error: unknown): unknown {
  if (!(error instanceof GobonnieError)) return error;
  const { message, hint } = error.templates;
  return new GobonnieError(error.code, addOriginsToMessage(settings, message), hint, { cause: error });
}

/** Names the config file: at the start if the text begins with an option from it, otherwise after each of its options. */
function addOriginsToMessage(settings: Layer, text: MessageTemplate): MessageTemplate {
  const leading = text[0] === INVALID ? text[1] : text[0];
  const leadingFile = typeof leading === 'object' ? settings.get(leading.option)?.origin?.file : null;
  const words = mapOptionRefs(text, (part) => {
    const { value: originalValue, origin } = settings.get(part.option) ?? {};
    const value = isOriginalValue(part, originalValue) ? originalValue : part.value;
    if (!origin) return { ...part, value };
    const name = formatOrigin(origin, value);
    return origin.file === null || leadingFile ? name : `${name} of ${origin.file}`;
  });
  return leadingFile ? [`${leadingFile}: `, ...words] : words;
}

/** True if the option's value was parsed from the original value, as 0.5 is from `512M`. */
function isOriginalValue({ option, value }: OptionRef, originalValue: unknown): boolean {
  return value !== undefined && optionSchemas[option]?.safeParse(originalValue).data === value;
}

/** Formats an option as its source does: `size "abc"`, `GOBONNIE_SIZE=abc`. */
function formatOrigin({ file, name }: Origin, value: unknown): string {
  if (value === undefined) return name;
  return file === null ? `${name}=${display(value)}` : `${name} ${displayJson(value)}`;
}
