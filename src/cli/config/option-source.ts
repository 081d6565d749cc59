import { GobonnieError } from '../../errors.js';
import { msg } from '../../text/message-template.js';
import type { RawOptions } from '../argv/cli-catalogue.js';

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

/** Adds to an error where the options that it names were set, unless by a flag. */
export function explainOrigins(source: OptionSource, error: unknown): unknown {
  if (!(error instanceof GobonnieError)) return error;
  const parts = [error.templates.message].flat();
  const options = parts.flatMap((part) => (typeof part === 'string' ? [] : [part.option]));
  const origins = options.flatMap((option) => source.get(option)?.origin ?? []);
  return addOrigins(error, [...new Set(origins)]);
}

export function addOrigins(error: GobonnieError, origins: readonly string[]): GobonnieError {
  if (origins.length === 0) return error;
  const { message, hint } = error.templates;
  return new GobonnieError(error.code, msg`${message} (${origins.join(', ')})`, hint, { cause: error });
}
