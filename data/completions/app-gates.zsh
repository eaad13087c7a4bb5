#compdef app-gates
# Completion of app-gates for zsh. It takes one option, and nothing after it.
_arguments \
  '(- *)--new-todo[begin a new todo; where the app is locked, after the unlock]' \
  '(- *)--status[print what each gate would do now, as JSON, without a display]' \
  '(- *)--lock[lock the running instance]' \
  '(- *)--version[print the version]' \
  '(- *)--help[print the options]'
