#compdef gobonnie
# Completes gobonnie's command lines in zsh.
#
# To load it in every shell, add this line to ~/.zshrc, after compinit:
#   source <(gobonnie completion zsh)
# Or write it to a file where compinit finds it, and start a new shell:
#   gobonnie completion zsh > "${fpath[1]}/_gobonnie"

_gobonnie() {
  local line kind=
  local -a known
  command gobonnie __complete "$words[CURRENT]" "${(@)words[2,CURRENT-1]}" 2>/dev/null |
    while IFS= read -r line; do
      if [[ -z $kind ]]; then kind=$line; else known+=("${${line/$'\t'/:}%:}"); fi
    done
  [[ $PREFIX != -*=* ]] || compset -P 1 '*='
  case $kind in
    files) _files ;;
    # _files would offer files if no directory matches.
    directories) _path_files -/ ;;
    list)
      compset -P '*,'
      compadd -S '' -- ${${known%%:*}##*,}
      ;;
    words) (( $#known )) && _describe -t words word known ;;
  esac
}

if [[ $funcstack[1] == _gobonnie ]]; then
  _gobonnie "$@"
else
  compdef _gobonnie gobonnie
fi
