import { type CompletionScript, queryFunction } from './completion-script.js';

/** The script for bash 3.2 (macOS) and newer. It never evaluates words. */
export const bash: CompletionScript = (invocation) => `\
# Completes gobonnie's command lines in bash, including bash 3.2 on macOS.
#
# To load it in every shell, add this line to ~/.bashrc, on macOS to ~/.bash_profile:
#   eval "$(gobonnie completion bash)"
# Or, with the package bash-completion, write it to a file, which bash loads at the first Tab:
#   gobonnie completion bash > ~/.local/share/bash-completion/completions/gobonnie
#
# Once loaded, it also completes after npx gobonnie, unless another script completes npx.

${queryFunction(invocation)}

_gobonnie() {
  local word help index last kind= flag= end= quote= typed=\${2-}
  local -a words
  words=()
  # "=" is a separate word, except in bash 3.2 or if a script such as npm's completion changed COMP_WORDBREAKS.
  for ((index = 1; index <= COMP_CWORD; index++)); do
    word=\${COMP_WORDS[index]-}
    last=$((\${#words[@]} - 1))
    if [[ $last -ge 0 && ( $word == "=" || \${COMP_WORDS[index - 1]} == "=" ) ]]; then
      words[last]=\${words[last]}$word
    else
      words+=("$word")
    fi
  done
  last=$((\${#words[@]} - 1))
  word=\${words[last]}
  unset "words[$last]"
  # readline replaces only $2, which begins after the "=" if "=" splits words.
  [[ $typed != -*=* ]] || flag=\${typed%%=*}=
  typed=\${typed#"$flag"}
  _gobonnie_quote
  word=\${word/$quote/}
  COMPREPLY=()
  while IFS=$'\\t' read -r word help; do
    if [[ -n $kind ]]; then
      COMPREPLY+=("$flag$word$end")
    else
      kind=$word
      # Without compopt, add the space here, but not in a list, whose words a comma may follow.
      [[ $kind != words || -n $quote ]] || _gobonnie_has_compopt || end=' '
    fi
  done < <(_gobonnie_query ".$word" \${words[@]+"\${words[@]}"})
  case $kind in
    files) _gobonnie_paths default file ;;
    directories) _gobonnie_paths dirnames directory ;;
    list) ! _gobonnie_has_compopt || compopt -o nospace ;;
  esac
  return 0
}

_gobonnie_has_compopt() {
  type compopt &>/dev/null
}

# Sets quote to the opening quote of the word at the cursor.
_gobonnie_quote() {
  quote=\${COMP_WORDS[COMP_CWORD]-}
  quote=\${quote#-*=}
  case $quote in
    [\\"\\']*) quote=\${quote:0:1} ;;
    *) quote= ;;
  esac
}

# Completes paths. Lets readline do it if compopt exists and no flag precedes the path.
_gobonnie_paths() {
  if [[ -z $flag ]] && _gobonnie_has_compopt; then
    compopt -o "$1"
    return
  fi
  local path end
  [[ -n $quote ]] || typed=\${typed//\\\\/}
  [[ $typed != "~/"* ]] || typed=$HOME/\${typed#"~/"}
  while IFS= read -r path; do
    end=' '
    [[ -z $quote ]] || end=
    [[ ! -d $path ]] || end=/
    case $quote in
      '"') path=$(printf %s "$path" | sed 's/["\\\\$\`]/\\\\&/g') ;;
      "'") path=$(printf %s "$path" | sed "s/'/'\\\\\\\\''/g") ;;
      *) path=$(printf %q "$path") ;;
    esac
    COMPREPLY+=("$flag$path$end")
  done < <(compgen -A "$2" -- "$typed")
  ! _gobonnie_has_compopt || compopt -o nospace
}

_gobonnie_npx() {
  local at=1 flag= quote= typed=\${2-}
  while [[ \${COMP_WORDS[at]:-} == -* ]]; do at=$((at + 1)); done
  if [[ $at -lt $COMP_CWORD && \${COMP_WORDS[at]} == gobonnie ]]; then
    COMP_WORDS=("\${COMP_WORDS[@]:at}")
    COMP_CWORD=$((COMP_CWORD - at))
    _gobonnie "$@"
  else
    COMPREPLY=()
    _gobonnie_quote
    _gobonnie_paths default file
  fi
}

if _gobonnie_has_compopt; then
  complete -F _gobonnie gobonnie
  complete -p npx &>/dev/null || complete -F _gobonnie_npx npx
else
  complete -o nospace -F _gobonnie gobonnie
  complete -p npx &>/dev/null || complete -o nospace -F _gobonnie_npx npx
fi
`;
