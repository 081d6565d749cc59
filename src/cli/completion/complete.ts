import type { Option } from 'commander';
import type { Choice, OptionValues } from '../../options/option-row.js';
import { isSupportedOn } from '../../options/platform-support.js';
import type { CommandRow } from '../argv/define-command.js';
import { ValuedArgument, ValuedOption } from '../argv/option.js';
import { listOptions, normalizeGoFlags } from '../argv/parse-argv.js';
import { gobonnie } from '../compat/gobonniego.js';

/** The completions for the word at the cursor. */
interface Completions {
  /** The shell itself completes and quotes paths. A comma and another word may follow a word of a list. */
  readonly kind: 'files' | 'directories' | 'words' | 'list';
  readonly words: readonly Choice[];
}

const NO_COMPLETIONS: Completions = { kind: 'words', words: [] };

/**
 * Runs `gobonnie __complete CURRENT [BEFORE...]` for the shells' scripts. Returns the kind of the completions, then each
 * word with a tab and its description.
 */
export async function complete(
  [current = '', ...before]: readonly string[],
  commands: readonly CommandRow[],
): Promise<string> {
  // An incomplete or invalid command line has no completions.
  const { kind, words } = await findCompletions(commands, before, current).catch(() => NO_COMPLETIONS);
  const lines = words.map(({ word, help }) => `${word}\t${help.replace(/\s+/g, ' ')}\n`);
  return `${kind}\n${lines.join('')}`;
}

export async function findCompletions(
  commands: readonly CommandRow[],
  before: readonly string[],
  current: string,
): Promise<Completions> {
  const row = commands.find(({ name }) => name === before[0]);
  const command = (row ? await row.load() : gobonnie).command();
  const options = listOptions(command);
  const priorWords = row ? before.slice(1) : before;
  // An option that still lacks its value takes the empty word.
  const priorArguments = [...normalizeGoFlags([...priorWords, ''], options).args];
  const last = priorArguments.pop();
  const findOption = (word: string) => options.find(({ long }) => long === word.split('=')[0]);
  const completeOptionValue = async (option: Option | undefined, typed: string) => {
    if (!option) return NO_COMPLETIONS;
    const configFile = priorArguments
      .findLast((word) => word.startsWith('--config='))
      ?.replace('--config=', '');
    const profiles = option.long === '--profile' ? { choices: await profileNames(configFile) } : null;
    const values = profiles ?? (option instanceof ValuedOption ? option.row.values : undefined);
    return completeValue(/<(.*)>$/.exec(option.flags)?.[1], values, typed);
  };

  if (last) return completeOptionValue(findOption(last), current);
  const [, flag, typed = ''] = /^--?([\w-]+)=(.*)$/s.exec(current) ?? [];
  if (flag !== undefined) return completeOptionValue(findOption(`--${flag}`), typed);
  const end = priorArguments.includes('--') ? priorArguments.indexOf('--') : priorArguments.length;
  if (current.startsWith('-') && end === priorArguments.length)
    return completeWord(unusedFlags(options, new Set(priorArguments.map(findOption))), current);
  if (!row && priorWords.length === 0) {
    const names = commands.map(({ name, summary }) => ({ word: name, help: summary }));
    const completions = completeWord(names, current);
    if (completions.words.length > 0) return completions;
  }
  const position = priorArguments.filter(
    (word, index) => index > end || (index < end && !word.startsWith('-')),
  ).length;
  const argument = command.registeredArguments.find(({ variadic }, index) => variadic || index === position);
  return argument instanceof ValuedArgument
    ? completeValue(argument.name(), argument.values, current)
    : NO_COMPLETIONS;
}

function unusedFlags(options: readonly Option[], used: ReadonlySet<Option | undefined>): readonly Choice[] {
  return options.flatMap((option) => {
    const row = option instanceof ValuedOption ? option.row : null;
    if (used.has(option) && !row?.repeatable) return [];
    const flags = [option.short, option.long].filter((flag) => flag !== undefined);
    return flags.map((word) => ({ word, help: row?.help ?? option.description }));
  });
}

async function completeValue(
  placeholder: string | undefined,
  values: OptionValues | null | undefined,
  typed: string,
): Promise<Completions> {
  if (!values) {
    if (placeholder === 'FILE') return { kind: 'files', words: [] };
    return placeholder === 'DIR' ? { kind: 'directories', words: [] } : NO_COMPLETIONS;
  }
  const { choices, isList } = values;
  const loadedChoices = typeof choices === 'function' ? await choices() : choices;
  const words = loadedChoices.map((choice) =>
    typeof choice === 'string' ? { word: choice, help: '' } : choice,
  );
  if (!isList) return completeWord(words, typed);
  const before = typed.slice(0, typed.lastIndexOf(',') + 1);
  const unused = words.filter(({ word }) => !before.split(',').includes(word));
  const longer = unused.map(({ word, help }) => ({ word: before + word, help }));
  return { ...completeWord(longer, typed), kind: 'list' };
}

/** The scripts insert words unquoted, so only words without special characters are safe. */
const SAFE_WORD = /^[\w.,+-]+$/;

function completeWord(words: readonly Choice[], typed: string): Completions {
  const isMatch = ({ word }: Choice) =>
    word.startsWith(typed) &&
    SAFE_WORD.test(word) &&
    isSupportedOn(word.replace(/^--/, ''), process.platform);
  return { kind: 'words', words: words.filter(isMatch) };
}

/** Returns the profiles in the given config file, otherwise in the config file that the search finds. */
async function profileNames(configFile: string | undefined): Promise<readonly string[]> {
  const { loadConfig } = await import('../commands/lazy-bundle.js');
  const { document } = await loadConfig(configFile);
  const { profiles = {} } = (document?.value ?? {}) as { profiles?: object };
  return Object.keys(profiles);
}
