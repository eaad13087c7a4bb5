#!/bin/sh
# Builds a release and measures it.
set -eu
. "$(dirname "$0")/common.sh"
Scripts/build.sh release
exec env APP_GATES_BIN="$PWD/.build/release" PYTHONPATH=Tests PYTHONDONTWRITEBYTECODE=1 \
  /usr/bin/python3 Tests/Bench/bench.py "$@"
