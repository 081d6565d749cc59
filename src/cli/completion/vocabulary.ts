import type { Argument, Command, Option } from 'commander';
import type { Choice, Values } from '../../options/row.js';
import { ValuedArgument, ValuedOption } from '../argv/option.js';
import type { Dialect } from '../request.js';

/** What may stand where a value is wanted. */
export interface Value {
  /** What the help calls it. */
  readonly placeholder: string;
  /** `list`: several of the choices, with commas between; `text`: nobody can guess it. */
  readonly kind: 'file' | 'directory' | 'choice' | 'list' | 'text';
  readonly choices: readonly Choice[];
}

export interface Flag {
  /** Every way to write it: `-v`, `--verbose`. */
  readonly spellings: readonly string[];
  readonly help: string;
  /** Null for a switch. */
  readonly value: Value | null;
  /** Whether the value, if any, stands in the same word: `-f20`. */
  readonly isAttached: boolean;
  readonly isRepeatable: boolean;
}

/** All that may be said to a command. */
export interface Vocabulary {
  readonly flags: readonly Flag[];
  readonly argument: { readonly value: Value; readonly isRepeatable: boolean } | null;
}

export interface NamedVocabulary extends Vocabulary {
  readonly name: string;
  readonly summary: string;
}

/** All that may be said to the program: to itself, and to its commands behind their names. */
export interface ProgramVocabulary extends Vocabulary {
  readonly commands: readonly NamedVocabulary[];
}

/** The text of a script with which a shell completes all of that. */
export type Script = (program: ProgramVocabulary) => string;

export interface Program {
  readonly main: Dialect;
  readonly named: readonly Dialect[];
}

export async function programVocabularyOf({ main, named }: Program): Promise<ProgramVocabulary> {
  const commands = named.map(async (dialect) => {
    const { name, summary } = dialect;
    return { ...(await vocabularyOf(dialect.command())), name, summary };
  });
  return { ...(await vocabularyOf(main.command())), commands: await Promise.all(commands) };
}

/** As commander knows it, in the spellings that the help shows. */
export async function vocabularyOf(command: Command): Promise<Vocabulary> {
  const help = command.createHelp();
  const [argument] = command.registeredArguments;
  return {
    flags: await Promise.all(
      help.visibleOptions(command).map((option) => flagOf(option, help.optionTerm(option))),
    ),
    argument: argument ? await argumentOf(argument) : null,
  };
}

async function flagOf(option: Option, term: string): Promise<Flag> {
  const [, placeholder] = /[<[](.*)[>\]]$/.exec(term) ?? [];
  // The help and the version are commander's own.
  const { values, isRepeatable } =
    option instanceof ValuedOption ? option : { values: null, isRepeatable: false };
  return {
    spellings: (term.match(/(?<=^|, )--?[^\s,]+/g) ?? []).map(plain),
    help: option.description,
    value: placeholder === undefined ? null : await valueBehind(placeholder, values),
    // One in angles may have brackets within.
    isAttached: option.optional && !option.required,
    isRepeatable,
  };
}

async function argumentOf(argument: Argument) {
  const values = argument instanceof ValuedArgument ? argument.values : null;
  return { value: await valueBehind(argument.name(), values), isRepeatable: argument.variadic };
}

async function valueBehind(placeholder: string, values: Values | null): Promise<Value> {
  if (values) {
    const { choices, isList = false } = values;
    const given = typeof choices === 'function' ? await choices() : choices;
    return { placeholder, kind: isList ? 'list' : 'choice', choices: given.map(choiceOf) };
  }
  const kind = placeholder === 'FILE' ? 'file' : placeholder === 'DIR' ? 'directory' : 'text';
  return { placeholder, kind, choices: [] };
}

function choiceOf(given: string | Choice): Choice {
  const choice = typeof given === 'string' ? { word: given, help: '' } : given;
  return { ...choice, word: plain(choice.word) };
}

/** Words go into the scripts as they are, so no shell may see more in one. */
function plain(word: string): string {
  if (/^[\w.+-]+$/.test(word)) return word;
  throw new Error(`${word} is no word that every shell takes as it is`);
}
