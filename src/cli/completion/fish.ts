import { version } from '../../version.js';
import type { Flag, Script, Value, Vocabulary } from './vocabulary.js';

/** For fish's `complete`, a line for each flag. */
export const fish: Script = (program) => `\
# Completes gobonnie's command lines in fish. Made by gobonnie ${version}.
#
# To have it in every shell, put this line into ~/.config/fish/config.fish:
#   gobonnie completion fish | source
# Or write it to a file, which fish loads at the first Tab:
#   gobonnie completion fish > ~/.config/fish/completions/gobonnie.fish
#
# Behind npx gobonnie it completes as soon as it is loaded.

function __gobonnie_first
    test (count (commandline -opc)) -eq 1
end

function __gobonnie_in
    set -l given (commandline -opc)
    set -l name ''
    if contains -- "$given[2]" ${program.commands.map(({ name }) => name).join(' ')}
        set name $given[2]
    end
    test "$name" = "$argv[1]"
end

# What is typed of a value, be it in one word with its flag.
function __gobonnie_value
    string replace -r -- '^--?[\\w-]+=' '' (commandline -ct)
end

# One more of a list with commas, and none of them twice.
function __gobonnie_list
    set -l given (string replace -r -- '[^,]*$' '' (__gobonnie_value))
    for word in $argv
        contains -- $word (string split -- , $given)
        or echo $given$word
    end
end

# What there would be behind other words.
function __gobonnie_instead
    set -l typed (commandline -ct)
    complete -C (string join ' ' -- (string escape -- $argv) "$typed")
end

# Go writes -size.
function __gobonnie_after_go
    string match -qr -- '^-[^-].' (commandline -opc)[-1]
end

function __gobonnie_as_gnu
    set -l given (commandline -opc)
    set given[-1] -$given[-1]
    __gobonnie_instead $given
end

# Where gobonnie stands behind npx and its flags.
function __gobonnie_behind_npx
    set -l given (commandline -opc)
    set -e given[1]
    while set -q given[1]; and string match -q -- '-*' $given[1]
        set -e given[1]
    end
    test "$given[1]" = gobonnie
    and printf '%s\\n' $given
end

function __gobonnie_through_npx
    __gobonnie_instead (__gobonnie_behind_npx)
end

complete -c npx -n '__gobonnie_behind_npx >/dev/null' -x -a '(__gobonnie_through_npx)'
complete -c gobonnie -f
complete -c gobonnie -n __gobonnie_after_go -a '(__gobonnie_as_gnu)'
${program.commands.map(({ name, summary }) => `complete -c gobonnie -n __gobonnie_first -a ${name} -d ${quoted(summary)}`).join('\n')}
${linesOf(program, "''")}
${program.commands.map((command) => linesOf(command, command.name)).join('\n')}
`;

function linesOf({ flags, argument }: Vocabulary, name: string): string {
  const start = `complete -c gobonnie -n "__gobonnie_in ${name}"`;
  const rest = [...flags.map(flagWords), ...(argument ? argumentWords(argument.value) : [])];
  return rest.map((words) => `${start} ${words}`).join('\n');
}

function flagWords({ spellings, help, value, isAttached }: Flag): string {
  const names = spellings.map((spelling) =>
    spelling.startsWith('--') ? `-l ${spelling.slice(2)}` : `-s ${spelling.slice(1)}`,
  );
  const taken = value && !isAttached ? [valueWords(value)] : [];
  return [...names, '-d', quoted(help), ...taken].join(' ');
}

/** Each with what it is. */
function argumentWords(value: Value): readonly string[] {
  if (value.choices.length === 0) return [valueWords(value).replace(/^-[rx]/, '')];
  return value.choices.map(({ word, help }) =>
    help === '' ? `-a ${word}` : `-a ${word} -d ${quoted(help)}`,
  );
}

function valueWords({ kind, choices }: Value): string {
  const words = choices.map(({ word }) => word).join(' ');
  switch (kind) {
    case 'file':
      return '-r -F';
    case 'directory':
      return `-x -a '(__fish_complete_directories (__gobonnie_value))'`;
    case 'choice':
      return `-x -a '${words}'`;
    case 'list':
      return `-x -a '(__gobonnie_list ${words})'`;
    case 'text':
      return '-x';
  }
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
