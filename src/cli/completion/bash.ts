import { groupsOf } from '../../text/groups.js';
import { version } from '../../version.js';
import type { Flag, NamedVocabulary, Script, Value, Vocabulary } from './vocabulary.js';

/** For bash's `complete -F`. Words are compared, never evaluated, and paths are left to readline, which quotes them. */
export const bash: Script = (program) => {
  const spoken = [
    { ...program, called: '' },
    ...program.commands.map((command) => ({ ...command, called: command.name })),
  ];
  return `\
# Completes gobonnie's command lines in bash 4 or newer. Made by gobonnie ${version}.
#
# To have it in every shell, put this line into ~/.bashrc:
#   source <(gobonnie completion bash)
# Where the package bash-completion is installed, a file will do as well, which is loaded at the first Tab:
#   gobonnie completion bash > ~/.local/share/bash-completion/completions/gobonnie
#
# Behind npx gobonnie it completes as soon as it is loaded, unless something else completes npx.

_gobonnie_words() {
  local word
  for word in "$@"; do
    [[ $word != "$current"* ]] || COMPREPLY+=("$prefix$word")
  done
}

# One more of a list with commas, and none of them twice.
_gobonnie_list() {
  local word given=
  [[ $current != *,* ]] || given=\${current%,*},
  for word in "$@"; do
    [[ ,$given == *",$word,"* || $given$word != "$current"* ]] || COMPREPLY+=("$prefix$given$word")
  done
  compopt -o nospace
}

_gobonnie_files() {
  _gobonnie_paths default file
}

_gobonnie_directories() {
  _gobonnie_paths dirnames directory
}

_gobonnie_paths() {
  if [[ -z $prefix ]]; then
    compopt -o "$1"
    return
  fi
  # readline would take the flag for a part of the path.
  local path
  while IFS= read -r path; do
    [[ ! -d $path ]] || path=$path/
    COMPREPLY+=("$prefix$(printf %q "$path")")
  done < <(compgen -A "$2" -- "$current")
  compopt -o nospace
}

_gobonnie() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} prefix= flag= name=
  COMPREPLY=()
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
      ${program.commands.map(({ name }) => quoted(name)).join(' | ')}) name=\${COMP_WORDS[1]} ;;
    esac
  fi
  # "=" is a word of its own, unless COMP_WORDBREAKS was changed, as npm's completion does.
  if [[ $current == = ]]; then
    flag=$previous current=
  elif [[ $previous == = && $COMP_CWORD -gt 2 ]]; then
    flag=\${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $current == -*=* ]]; then
    flag=\${current%%=*} prefix=$flag= current=\${current#*=}
  else
    flag=$previous
  fi
  # Go writes -size.
  [[ $flag != -[!-]?* ]] || flag=-$flag
  case "$name $flag" in
${merged(spoken.flatMap(valueCases))
  .map((line) => `    ${line}`)
  .join('\n')}
  esac
  [[ -z $prefix ]] || return 0
  if [[ $current == -* ]]; then
    case $name in
${merged(spoken.map(flagCase))
  .map((line) => `      ${line}`)
  .join('\n')}
    esac
    return 0
  fi
  case $name in
    '') ((COMP_CWORD > 1)) || _gobonnie_words ${program.commands.map(({ name }) => name).join(' ')} ;;
${merged(program.commands.flatMap(argumentCase))
  .map((line) => `    ${line}`)
  .join('\n')}
  esac
  return 0
}

_gobonnie_npx() {
  local at=1
  while [[ \${COMP_WORDS[at]:-} == -* ]]; do at=$((at + 1)); done
  if [[ $at -lt $COMP_CWORD && \${COMP_WORDS[at]} == gobonnie ]]; then
    COMP_WORDS=("\${COMP_WORDS[@]:at}")
    COMP_CWORD=$((COMP_CWORD - at))
    _gobonnie
  else
    compopt -o default
  fi
}

if ((BASH_VERSINFO[0] >= 4)); then
  complete -F _gobonnie gobonnie
  complete -p npx &>/dev/null || complete -F _gobonnie_npx npx
fi
`;
};

/** A command under the name that the command line has for it: none for the program itself. */
interface Spoken extends Vocabulary {
  readonly called: string;
}

/** What is done where one of the patterns fits. */
interface Case {
  readonly patterns: readonly string[];
  readonly does: string;
}

/** What stands behind each flag that wants a value. */
function valueCases({ called, flags }: Spoken): readonly Case[] {
  return flags.flatMap(({ spellings, value, isAttached }: Flag) => {
    if (!value || isAttached) return [];
    const patterns = spellings.map((spelling) => `${called} ${spelling}`);
    return [{ patterns, does: [...callsOf(value), 'return 0'].join('; ') }];
  });
}

function flagCase({ called, flags }: Spoken): Case {
  const spellings = flags.flatMap((flag) => flag.spellings);
  return { patterns: [called], does: `_gobonnie_words ${spellings.join(' ')}` };
}

function argumentCase({ name, argument }: NamedVocabulary): readonly Case[] {
  const calls = argument ? callsOf(argument.value) : [];
  return calls.map((does) => ({ patterns: [name], does }));
}

/** A line for all that do the same: some commands differ in little. */
function merged(cases: readonly Case[]): readonly string[] {
  return groupsOf(cases, ({ does }) => does).map((group) => {
    const patterns = group.flatMap((one) => one.patterns);
    return `${patterns.map(quoted).join(' | ')}) ${group[0].does} ;;`;
  });
}

function callsOf({ kind, choices }: Value): readonly string[] {
  const words = choices.map(({ word }) => word).join(' ');
  switch (kind) {
    case 'file':
      return ['_gobonnie_files'];
    case 'directory':
      return ['_gobonnie_directories'];
    case 'choice':
      return [`_gobonnie_words ${words}`];
    case 'list':
      return [`_gobonnie_list ${words}`];
    case 'text':
      return [];
  }
}

/** Words are plain, so that nothing in them ends the quotes. */
function quoted(text: string): string {
  return `'${text}'`;
}
