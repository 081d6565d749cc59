# Completes gobonnie's command lines in fish.
#
# To load it in every shell, add this line to ~/.config/fish/config.fish:
#   gobonnie completion fish | source
# Or write it to a file, which fish loads at the first Tab:
#   gobonnie completion fish > ~/.config/fish/completions/gobonnie.fish

function __gobonnie_complete
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    set -l answer (command gobonnie __complete "$current" $before[2..] 2>/dev/null)
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
