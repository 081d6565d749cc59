import { answerFunction, type Script } from './script.js';

/** For bash 3.2, which has no compopt, and newer. Words are never evaluated, and readline quotes paths. */
export const bash: Script = (caller) => `\
# Completes gobonnie's command lines in bash.
#
# To have it in every shell, put this line into ~/.bashrc:
#   source <(gobonnie completion bash)
# or, for the bash 3.2 of macOS:
#   eval "$(gobonnie completion bash)"
# With the package bash-completion, a file works as well, which is loaded at the first Tab:
#   gobonnie completion bash > ~/.local/share/bash-completion/completions/gobonnie
#
# It also works after npx gobonnie once it is loaded, unless something else completes npx.

${answerFunction(caller)}

_gobonnie() {
  local word help index kind= prefix= current=\${COMP_WORDS[COMP_CWORD]}
  local -a before
  before=()
  # "=" is a word of its own, unless COMP_WORDBREAKS was changed, as npm's completion does.
  for ((index = 1; index < COMP_CWORD; index++)); do
    if [[ \${#before[@]} -gt 0 && ( \${COMP_WORDS[index]} == = || \${COMP_WORDS[index - 1]} == = ) ]]; then
      before[\${#before[@]} - 1]+=\${COMP_WORDS[index]}
    else
      before+=("\${COMP_WORDS[index]}")
    fi
  done
  word=$current
  if [[ $current == = && $COMP_CWORD -gt 1 ]]; then
    word=\${COMP_WORDS[COMP_CWORD - 1]}= current= before=("\${before[@]:0:\${#before[@]}-1}")
  elif [[ \${COMP_WORDS[COMP_CWORD - 1]} == = && \${#before[@]} -gt 0 ]]; then
    word=\${before[\${#before[@]} - 1]}$current before=("\${before[@]:0:\${#before[@]}-1}")
  elif [[ $current == -*=* ]]; then
    prefix=\${current%%=*}= current=\${current#*=}
  fi
  COMPREPLY=()
  while IFS=$'\\t' read -r word help; do
    if [[ -z $kind ]]; then kind=$word; else COMPREPLY+=("$prefix$word"); fi
  done < <(_gobonnie_answer ".$word" \${before[@]+"\${before[@]}"})
  case $kind in
    files) _gobonnie_paths default file ;;
    directories) _gobonnie_paths dirnames directory ;;
    list) _gobonnie_option nospace ;;
  esac
  return 0
}

_gobonnie_option() {
  ! type compopt &>/dev/null || compopt -o "$1"
}

_gobonnie_paths() {
  if [[ -z $prefix ]] && type compopt &>/dev/null; then
    compopt -o "$1"
    return
  fi
  local path
  if [[ -z $prefix ]]; then
    # "complete -o filenames" quotes them.
    current=\${current#[\\"\\']}
    while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -A "$2" -- "\${current//\\\\/}")
    return
  fi
  # readline would take the flag for a part of the path.
  while IFS= read -r path; do
    [[ ! -d $path ]] || path=$path/
    COMPREPLY+=("$prefix$(printf %q "$path")")
  done < <(compgen -A "$2" -- "$current")
  _gobonnie_option nospace
}

_gobonnie_npx() {
  local at=1
  while [[ \${COMP_WORDS[at]:-} == -* ]]; do at=$((at + 1)); done
  if [[ $at -lt $COMP_CWORD && \${COMP_WORDS[at]} == gobonnie ]]; then
    COMP_WORDS=("\${COMP_WORDS[@]:at}")
    COMP_CWORD=$((COMP_CWORD - at))
    _gobonnie
  else
    _gobonnie_option default
  fi
}

if type compopt &>/dev/null; then
  complete -F _gobonnie gobonnie
  complete -p npx &>/dev/null || complete -F _gobonnie_npx npx
else
  complete -o filenames -F _gobonnie gobonnie
  complete -p npx &>/dev/null || complete -o filenames -o default -F _gobonnie_npx npx
fi
`;
