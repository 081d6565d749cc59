import type { Command, Option } from 'commander';
import type { Choice, Values } from '../../options/row.js';
import type { CliCommand, CommandRow } from '../argv/command.js';
import { fromGetopt } from '../argv/getopt.js';
import { fromGo } from '../argv/go-flags.js';
import { optionsOf } from '../argv/lexing.js';
import { ValuedArgument, ValuedOption } from '../argv/option.js';

/** What can stand at the cursor. The shell itself completes paths, and knows how to quote them. */
export type CompletionAnswer =
  | { readonly kind: 'files' | 'directories' }
  /** `list`: more words may follow, with a comma between. */
  | { readonly kind: 'words' | 'list'; readonly words: readonly Choice[] };

interface Program {
  readonly commands: readonly CommandRow[];
  readonly program: CliCommand;
  readonly profileNames: (configFile: string | undefined) => Promise<readonly string[]>;
}

const NOTHING: CompletionAnswer = { kind: 'words', words: [] };

/** Completes the word at the cursor behind those that come before it. */
export async function answerFor(
  { commands, program, profileNames }: Program,
  before: readonly string[],
  current: string,
): Promise<CompletionAnswer> {
  const row = commands.find(({ name }) => name === before[0]);
  const { command: make, spelling } = row ? await row.load() : program;
  const command = make();
  const options = optionsOf(command);
  const known = row ? before.slice(1) : before;
  // An option that still lacks its value takes the empty word.
  const words = [...known, ''];
  const given = spelling === 'getopt' ? fromGetopt(words, options) : [...fromGo(words, options).args];
  const last = given.pop();
  const named = (word: string) => options.find(({ long }) => long === word.split('=')[0]);
  const lastValueOf = (long: string) =>
    given.findLast((word) => word.startsWith(`${long}=`))?.slice(long.length + 1);
  const valuesOf = async (option: Option): Promise<Values | null> => {
    if (option.long === '--profile') return { choices: await profileNames(lastValueOf('--config')) };
    return option instanceof ValuedOption ? option.values : null;
  };
  const completed = async (option: Option, typed: string) =>
    valueAnswer(/<(.*)>$/.exec(option.flags)?.[1], await valuesOf(option), typed);

  if (last) {
    const option = named(last);
    return option ? completed(option, current) : NOTHING;
  }
  const [, flag, typed = ''] = /^--?([\w-]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== undefined) {
    const option = spelling === 'getopt' ? undefined : named(`--${flag}`);
    return option?.required ? completed(option, typed) : NOTHING;
  }
  const end = given.includes('--') ? given.indexOf('--') : given.length;
  if (current.startsWith('-') && end === given.length)
    return flagsAnswer(options, new Set(given.map(named)), spelling, current);
  const position = given.filter((word, at) => at > end || (at < end && !word.startsWith('-'))).length;
  if (!row) {
    const names = commands.map(({ name, summary }) => ({ word: name, help: summary }));
    return wordsAnswer(known.length === 0 ? names : [], current);
  }
  return argumentAnswer(command, position, current);
}

function flagsAnswer(
  options: readonly Option[],
  given: ReadonlySet<Option | undefined>,
  spelling: CliCommand['spelling'],
  current: string,
): CompletionAnswer {
  const flags = options.flatMap((option) => {
    if (given.has(option) && !(option instanceof ValuedOption && option.isRepeatable)) return [];
    const { short, long, description } = option;
    const hasOnlyLetter = spelling === 'getopt' && long !== '--help';
    const spellings = [short, hasOnlyLetter ? undefined : long].filter((one) => one !== undefined);
    return spellings.map((word) => ({ word, help: description }));
  });
  return wordsAnswer(flags, current);
}

async function argumentAnswer(
  command: Command,
  position: number,
  current: string,
): Promise<CompletionAnswer> {
  const argument = command.registeredArguments.find(({ variadic }, at) => variadic || at === position);
  if (!argument) return NOTHING;
  return valueAnswer(argument.name(), argument instanceof ValuedArgument ? argument.values : null, current);
}

async function valueAnswer(
  placeholder: string | undefined,
  values: Values | null,
  typed: string,
): Promise<CompletionAnswer> {
  if (!values) {
    if (placeholder === 'FILE') return { kind: 'files' };
    return placeholder === 'DIR' ? { kind: 'directories' } : NOTHING;
  }
  const { choices, isList } = values;
  const found = typeof choices === 'function' ? await choices() : choices;
  const words = found.map((one) => (typeof one === 'string' ? { word: one, help: '' } : one));
  if (!isList) return wordsAnswer(words, typed);
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const others = words.filter(({ word }) => !before.split(',').includes(word));
  const longer = others.map(({ word, help }) => ({ word: before + word, help }));
  return { ...wordsAnswer(longer, typed), kind: 'list' };
}

/** Shells take these words as they are, so none may hold anything else. */
const PLAIN = /^[\w.,+-]+$/;

function wordsAnswer(
  words: readonly Choice[],
  typed: string,
): CompletionAnswer & { readonly words: readonly Choice[] } {
  const fitting = words.filter(({ word }) => word.startsWith(typed) && PLAIN.test(word));
  return { kind: 'words', words: fitting };
}
