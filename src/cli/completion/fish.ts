import type { CompletionScript } from './completion-script.js';

/** The script for fish, which shows a description of each word. */
export const fish: CompletionScript = ({ node, entry }) => `\
# Completes gobonnie's command lines in fish.
#
# To load it in every shell, add this line to ~/.config/fish/config.fish:
#   gobonnie completion fish | source
# Or write it to a file, which fish loads at the first Tab:
#   gobonnie completion fish > ~/.config/fish/completions/gobonnie.fish
#
# Once loaded, it also completes after npx gobonnie.

function __gobonnie_query
    if test -x ${quoteForFish(node)} -a -f ${quoteForFish(entry)}
        ${quoteForFish(node)} ${quoteForFish(entry)} __complete $argv 2>/dev/null
    else
        command gobonnie __complete $argv 2>/dev/null
    end
end

# Prints the words from gobonnie on, without a leading npx and its flags.
function __gobonnie_words
    set -l words (commandline -opc)
    if test "$words[1]" = npx
        set -e words[1]
        while set -q words[1]; and string match -q -- '-*' $words[1]
            set -e words[1]
        end
    end
    test "$words[1]" = gobonnie
    and printf '%s\\n' $words
end

function __gobonnie_complete
    set -l before (__gobonnie_words)
    set -l current (commandline -ct)
    set -l answer (__gobonnie_query ".$current" $before[2..])
    set -l prefix (string match -r -- '^-[^=]*=' "$current")
    set -l typed (string replace -r -- '^-[^=]*=' '' "$current")
    switch "$answer[1]"
        case files
            complete -C "'' $typed" | string replace -r '^' -- "$prefix"
        case directories
            complete -C "'' $typed" | string match -r -- '.*/$' | string replace -r '^' -- "$prefix"
        case '*'
            for line in $answer[2..]
                echo "$prefix$line"
            end
    end
end

complete -c gobonnie -f -a '(__gobonnie_complete)'
complete -c npx -n '__gobonnie_words >/dev/null' -f -a '(__gobonnie_complete)'
`;

function quoteForFish(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
