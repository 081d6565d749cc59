import { GobonnieError } from '../../errors.js';
import { mapOptionRefs, msg, type OptionRef } from '../../text/message-template.js';
import type { RawOptions } from '../argv/cli-catalogue.js';
import { optionSchemas } from '../argv/cli-options.js';

/** The options of one source, or of several merged sources, by name. */
export type OptionSource = ReadonlyMap<
  string,
  {
    readonly value: unknown;
    /** Where the option was set: `GOBONNIE_SIZE`, `profiles.ci.size in gobonnie.config.json`. Null for a flag. */
    readonly origin: string | null;
  }
>;

export function toRawOptions(source: OptionSource): RawOptions {
  return Object.fromEntries([...source].map(([name, { value }]) => [name, value]));
}

/** Quotes the options in an error as the user wrote them, and adds where they were set, unless by a flag. */
export function explainOrigins(source: OptionSource, error: unknown): unknown {
  if (!(error instanceof GobonnieError)) return error;
  const { message, hint } = error.templates;
  const origins = new Set<string>();
  const quoted = mapOptionRefs(message, (ref) => {
    const { value, origin } = source.get(ref.option) ?? {};
    // A preset's size.
    if (error.code === 'size-too-large' && ref.option === 'size' && value === undefined)
      return 'the default size';
    if (!isValueOf(ref, value)) return ref;
    if (origin) origins.add(origin);
    return ref.value !== undefined && typeof value === 'string' ? { ...ref, value } : ref;
  });
  return addOrigins(new GobonnieError(error.code, quoted, hint, { cause: error }), [...origins]);
}

/** False for the value of a step, which may differ from the run's value. */
function isValueOf({ option, value }: OptionRef, original: unknown): boolean {
  if (value === undefined || [original].flat().includes(value)) return true;
  // A text may have several steps.
  if (option === 'steps' && [original].flat().join(' ').split(/\s+/).includes(String(value))) return true;
  return String(optionSchemas[option]?.safeParse(original).data) === String(value);
}

export function addOrigins(error: GobonnieError, origins: readonly string[]): GobonnieError {
  if (origins.length === 0) return error;
  const { message, hint } = error.templates;
  return new GobonnieError(error.code, msg`${message} (${origins.join(', ')})`, hint, { cause: error });
}
