# Completion of app-gates for bash. It takes one option, and nothing after it.
_app_gates() {
  [ "$COMP_CWORD" -eq 1 ] || return
  mapfile -t COMPREPLY < <(compgen -W "--new-todo --status --lock --version --help" -- "${COMP_WORDS[1]}")
}
complete -F _app_gates app-gates
