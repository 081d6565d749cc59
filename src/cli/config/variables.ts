import type { OptionRow } from '../../options/row.js';
import { display } from '../../text/escape.js';
import { findNearest } from '../../text/suggest.js';
import { switchedBy } from '../argv/go-flags.js';
import { optionRows, rowNamed } from '../argv/option-rows.js';
import { type Layer, refusalAt } from './layers.js';
import { optionSchemas } from './schema.js';

const PREFIX = 'GOBONNIE_';
/** A variable that is not an option. */
const DEBUG = `${PREFIX}DEBUG`;

const optionsByVariable = new Map(Object.keys(optionRows).map((name) => [variableOf(name), name]));

/** `GOBONNIE_IOPS_DURATION` of `iopsDuration`. */
export function variableOf(name: string): string {
  return PREFIX + name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** An empty variable counts as not set, as pipelines pass on variables that they do not have. */
export function layerOfVariables(env: NodeJS.ProcessEnv): Layer {
  const given = [...optionsByVariable].filter(([variable]) => env[variable]);
  return new Map(
    given.map(([variable, name]) => {
      const text = String(env[variable]);
      const value = valueIn(text, rowNamed(name));
      const origin = { file: null, name: variable };
      if (!optionSchemas[name]?.safeParse(value).success) throw refusalAt(origin, name, text);
      return [name, { value, origin }];
    }),
  );
}

/** A line for each GOBONNIE_ variable that does not exist. */
export function unknownVariables(env: NodeJS.ProcessEnv): readonly string[] {
  const known = [...optionsByVariable.keys(), DEBUG];
  const unknown = Object.keys(env).filter((one) => one.startsWith(PREFIX) && !known.includes(one));
  return unknown.map((variable) => {
    const near = findNearest(
      variable.slice(PREFIX.length),
      known.map((one) => one.slice(PREFIX.length)),
    );
    const hint = near ? `did you mean ${PREFIX}${near}?` : `a flag like --io-size is ${variableOf('ioSize')}`;
    return `gobonnie: ${display(variable)} is not a variable of gobonnie and is ignored; ${hint}`;
  });
}

/** As a flag or a file would give it. Anything else stays as it is and is refused. */
function valueIn(text: string, { argument, repeatable }: OptionRow): unknown {
  if (argument === null) return switchedBy(text) ?? text;
  if (!repeatable) return text;
  return text.startsWith('[') ? parsed(text) : [text];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
