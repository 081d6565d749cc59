import type { Choice } from '../../options/row.js';
import { version } from '../../version.js';
import type { Flag, NamedVocabulary, Script, Value } from './vocabulary.js';

/** For zsh's `_arguments`, which shows what each flag does. */
export const zsh: Script = (program) => `\
#compdef gobonnie
# Completes gobonnie's command lines in zsh. Made by gobonnie ${version}.
#
# To have it in every shell, put this line into ~/.zshrc, after compinit:
#   source <(gobonnie completion zsh)
# Or write it to a file where compinit finds it, and start a new shell:
#   gobonnie completion zsh > "\${fpath[1]}/_gobonnie"
#
# Behind npx gobonnie it completes as soon as it is loaded, unless something else completes npx.

${[commandWords(program.commands), ...program.commands.flatMap(argumentWords)].join('\n')}
_gobonnie() {
  local curcontext="$curcontext" name=
  local -a state line
  local -A opt_args
  if (( CURRENT > 2 )); then
    case $words[2] in
      (${program.commands.map(({ name }) => quoted(name)).join('|')})
        name=$words[2]
        shift words
        (( CURRENT-- ))
        ;;
    esac
  fi
  # Go writes -size.
  local -i at
  for (( at = 2; at < CURRENT; at++ )); do
    [[ $words[at] != -[^-]?* ]] || words[at]=-$words[at]
  done
  case $name in
    ('')
      local -a first
      (( CURRENT > 2 )) || first=('1:command:_gobonnie_commands')
      _arguments -S $first \\
${specsOf(program.flags.flatMap(flagSpecs))}
      ;;
${program.commands.map(commandCase).join('\n')}
  esac
}

_gobonnie_npx() {
  local at=2
  while [[ $words[at] == -* ]]; do (( at++ )); done
  if (( at < CURRENT )) && [[ $words[at] == gobonnie ]]; then
    shift $(( at - 1 )) words
    (( CURRENT -= at - 1 ))
    _gobonnie
  else
    _default
  fi
}

(( $+_comps[npx] )) || compdef _gobonnie_npx npx
if [[ $funcstack[1] == _gobonnie ]]; then
  _gobonnie "$@"
else
  compdef _gobonnie gobonnie
fi
`;

function commandWords(commands: readonly NamedVocabulary[]): string {
  return wordsFunction(
    '_gobonnie_commands',
    commands.map(({ name, summary }) => ({ word: name, help: summary })),
  );
}

/** Those of a command's argument. */
function argumentWords(command: NamedVocabulary): readonly string[] {
  const { choices = [] } = command.argument?.value ?? {};
  return choices.length === 0 ? [] : [wordsFunction(wordsOf(command), choices)];
}

/** Words with what each of them is. */
function wordsFunction(name: string, choices: readonly Choice[]): string {
  const lines = choices.map(({ word, help }) => `    ${quoted(help === '' ? word : `${word}:${help}`)}\n`);
  return `${name}() {\n  local -a known=(\n${lines.join('')}  )\n  _describe -t words word known\n}\n`;
}

function wordsOf({ name }: NamedVocabulary): string {
  return `_gobonnie_words_${name.replace(/\W/g, '_')}`;
}

function commandCase(command: NamedVocabulary): string {
  const specs = specsOf([...command.flags.flatMap(flagSpecs), ...argumentSpecs(command)]);
  return `    (${quoted(command.name)})\n      _arguments -S \\\n${specs}\n      ;;`;
}

function specsOf(specs: readonly string[]): string {
  return specs.map((spec) => `        ${quoted(spec)}`).join(' \\\n');
}

/** A spec for each spelling; one that was given rules out the others. */
function flagSpecs({ spellings, help, value, isAttached, isRepeatable }: Flag): readonly string[] {
  const before = isRepeatable ? '*' : `(${spellings.join(' ')})`;
  return spellings.map((spelling) => {
    const explained = `[${escaped(help)}]`;
    if (!value) return `${before}${spelling}${explained}`;
    if (isAttached) return `${before}${spelling}-${explained}::${messageOf(value)}`;
    return `${before}${spelling}${spelling.startsWith('--') ? '=' : '+'}${explained}:${messageOf(value)}`;
  });
}

function argumentSpecs(command: NamedVocabulary): readonly string[] {
  const { argument } = command;
  if (!argument) return [];
  const { value, isRepeatable } = argument;
  const action = value.choices.length > 0 ? wordsOf(command) : actionOf(value);
  return [`${isRepeatable ? '*' : '1'}:${escaped(value.placeholder)}:${action}`];
}

function messageOf(value: Value): string {
  return `${escaped(value.placeholder)}:${actionOf(value)}`;
}

function actionOf({ kind, choices }: Value): string {
  const words = choices.map(({ word }) => word).join(' ');
  switch (kind) {
    case 'file':
      return '_files';
    case 'directory':
      // Where no directory fits, _files would offer files.
      return '_path_files -/';
    case 'choice':
      return `(${words})`;
    case 'list':
      return `_values -s , value ${words}`;
    case 'text':
      return ' ';
  }
}

/** What _arguments would take for an end of the text. */
function escaped(text: string): string {
  return text.replace(/[\\[\]:]/g, '\\$&');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
