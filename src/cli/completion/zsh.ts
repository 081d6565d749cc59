import { type CompletionScript, queryFunction } from './completion-script.js';

/** The script for zsh's completion system, which shows a description of each word. */
export const zsh: CompletionScript = (invocation) => `\
#compdef gobonnie
# Completes gobonnie's command lines in zsh.
#
# To load it in every shell, add this line to ~/.zshrc, after compinit:
#   source <(gobonnie completion zsh)
# Or write it to a file where compinit finds it, and start a new shell:
#   gobonnie completion zsh > "\${fpath[1]}/_gobonnie"
#
# Once loaded, it also completes after npx gobonnie, unless another script completes npx.

${queryFunction(invocation)}

_gobonnie() {
  local line kind=
  local -a known
  _gobonnie_query ".$words[CURRENT]" "\${(@)words[2,CURRENT-1]}" | while IFS= read -r line; do
    if [[ -z $kind ]]; then kind=$line; else known+=("\${\${line/$'\\t'/:}%:}"); fi
  done
  [[ $PREFIX != -*=* ]] || compset -P 1 '*='
  case $kind in
    files) _files ;;
    # _files would offer files if no directory matches.
    directories) _path_files -/ ;;
    list)
      compset -P '*,'
      compadd -S '' -- \${\${known%%:*}##*,}
      ;;
    words) (( $#known )) && _describe -t words word known ;;
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
