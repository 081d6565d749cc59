import { GobonnieError, optionError } from '../../errors.js';
import type { OptionRow } from '../../options/option-row.js';
import { display, displayJson } from '../../text/escape.js';
import { mapOptionRefs, type OptionRef } from '../../text/message-template.js';
import { getOptionRow, type RawOptions } from '../argv/cli-catalogue.js';
import { optionSchemas } from '../argv/cli-options.js';

/** The options of one source, or of several merged sources, by name. The origin of a flag is null. */
export type Layer = ReadonlyMap<string, { readonly value: unknown; readonly origin: Origin | null }>;

/** Where an option was set, if not by a flag. */
export interface Origin {
  /** The config file, escaped for messages. Null for a variable. */
  readonly file: string | null;
  /** The option's name in that source: `profiles.ci.size`, `GOBONNIE_SIZE`. */
  readonly name: string;
}

export function toRawOptions(layer: Layer): RawOptions {
  return Object.fromEntries([...layer].map(([name, { value }]) => [name, value]));
}

/** Returns the error for an invalid value. Its hint shows a valid value. */
export function invalidSettingError(origin: Origin, option: string, value: unknown): GobonnieError {
  const row = getOptionRow(option);
  const example = origin.file === null ? `${origin.name}=${row.example}` : `"${option}": ${jsonExample(row)}`;
  return optionError(
    `invalid ${formatOrigin(origin, value)}: expected ${row.expects}`,
    `for example, ${example}`,
  );
}

function jsonExample({ example }: OptionRow): string {
  const withoutQuotes = example.replace(/^"(.*)"$/, '$1');
  return /^(true|\d+(\.\d+)?)$/.test(withoutQuotes) ? withoutQuotes : JSON.stringify(withoutQuotes);
}

/** Names the options in the error as the user wrote them. The hint keeps the flags, because flags win. */
export function addOriginsToError(settings: Layer, error: unknown): unknown {
  if (!(error instanceof GobonnieError)) return error;
  const message = mapOptionRefs(error.templates.message, (ref) => {
    const { value: originalValue, origin } = settings.get(ref.option) ?? {};
    const value = isOriginalValue(ref, originalValue) ? originalValue : ref.value;
    return origin ? formatOrigin(origin, value) : { ...ref, value };
  });
  return new GobonnieError(error.code, message, error.templates.hint, { cause: error });
}

/** True if the option's value was parsed from the original value, as 0.5 is from `512M`. */
function isOriginalValue({ option, value }: OptionRef, originalValue: unknown): boolean {
  return value !== undefined && optionSchemas[option]?.safeParse(originalValue).data === value;
}

/** Formats an option as its source does: `GOBONNIE_SIZE=abc`, `size "abc" of gobonnie.config.json`. */
function formatOrigin({ file, name }: Origin, value: unknown): string {
  if (file === null) return value === undefined ? name : `${name}=${display(value)}`;
  return value === undefined ? `${name} of ${file}` : `${name} ${displayJson(value)} of ${file}`;
}
