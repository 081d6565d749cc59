import type { OptionRow } from '../../options/option-row.js';
import { parseJsonObject } from '../../read/documents.js';
import { display } from '../../text/escape.js';
import { findNearest } from '../../text/suggest.js';
import { getOptionRow, optionRows } from '../argv/cli-catalogue.js';
import { parseBoolean } from '../argv/go-flags.js';
import type { OptionSource } from './option-source.js';

export const VARIABLE_PREFIX = 'GOBONNIE_';
/** The only variable that is not an option. */
const DEBUG_VARIABLE = `${VARIABLE_PREFIX}DEBUG`;

const optionsByVariable = new Map(Object.keys(optionRows).map((name) => [toVariableName(name), name]));

/** Returns `GOBONNIE_IOPS_DURATION` for `iopsDuration`. */
export function toVariableName(name: string): string {
  return VARIABLE_PREFIX + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** An empty variable counts as unset, because pipelines pass on variables that are not set. */
export function readVariables(env: NodeJS.ProcessEnv): OptionSource {
  const setVariables = [...optionsByVariable].filter(([variable]) => env[variable]);
  return new Map(
    setVariables.map(([variable, name]) => {
      const value = parseVariable(String(env[variable]), getOptionRow(name));
      return [name, { value, origin: variable }];
    }),
  );
}

export function unknownVariableLines(env: NodeJS.ProcessEnv): readonly string[] {
  const removePrefix = (variable: string) => variable.slice(VARIABLE_PREFIX.length);
  const known = [...optionsByVariable.keys(), DEBUG_VARIABLE].map(removePrefix);
  const ours = Object.keys(env).filter((variable) => variable.startsWith(VARIABLE_PREFIX));
  const unknown = ours.filter((variable) => !known.includes(removePrefix(variable)));
  return unknown.map((variable) => {
    const suggestion = findNearest(removePrefix(variable), known);
    const hint = suggestion
      ? `did you mean ${VARIABLE_PREFIX}${suggestion}?`
      : '--io-size is GOBONNIE_IO_SIZE';
    return `gobonnie: ignoring unknown variable ${display(variable)}; ${hint}`;
  });
}

/** Returns the value that a flag or a file would have. Returns other text unchanged: validation rejects it. */
function parseVariable(text: string, { argument, repeatable }: OptionRow): unknown {
  if (argument === null) return parseBoolean(text) ?? text;
  if (!repeatable) return text;
  return text.startsWith('[') ? (parseJsonObject(text) ?? text) : [text];
}
