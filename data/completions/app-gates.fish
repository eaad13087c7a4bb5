# Completion of app-gates for fish. It takes one option, and nothing after it.
complete -c app-gates -f
set -l first 'test (count (commandline -opc)) -eq 1'
complete -c app-gates -n $first -l new-todo -d 'Begin a new todo; where the app is locked, after the unlock'
complete -c app-gates -n $first -l status -d 'Print what each gate would do now, as JSON, without a display'
complete -c app-gates -n $first -l lock -d 'Lock the running instance'
complete -c app-gates -n $first -l version -d 'Print the version'
complete -c app-gates -n $first -l help -d 'Print the options'
