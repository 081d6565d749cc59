# Completes gobonnie's command lines in bash 4.4 and newer.
#
# To load it in every shell, add this line to ~/.bashrc, on macOS to ~/.bash_profile:
#   eval "$(gobonnie completion bash)"
# Or, with the package bash-completion, write it to a file, which bash loads at the first Tab:
#   gobonnie completion bash > ~/.local/share/bash-completion/completions/gobonnie

_gobonnie() {
  local word help index kind= flag=
  local -a words=()
  # "=" is a separate word, unless another script such as npm's completion has changed COMP_WORDBREAKS.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=${COMP_WORDS[index]}
    if [[ ${#words[@]} -gt 0 && ( $word == "=" || ${COMP_WORDS[index - 1]} == "=" ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  word=${words[-1]//[\"\']/}
  unset 'words[-1]'
  # readline replaces only $2, which begins after the "=" if "=" splits words.
  [[ $2 != -*=* ]] || flag=${2%%=*}=
  COMPREPLY=()
  while IFS=$'\t' read -r word help; do
    if [[ -z $kind ]]; then kind=$word; else COMPREPLY+=("$flag$word"); fi
  done < <(command gobonnie __complete "$word" "${words[@]}" 2>/dev/null)
  case $kind in
    files) compopt -o default ;;
    directories) compopt -o dirnames ;;
    list) compopt -o nospace ;;
  esac
}

complete -F _gobonnie gobonnie
