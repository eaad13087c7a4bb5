#!/bin/sh
# test.sh [suite[:part]]: builds for debugging and runs all tests, or one suite or a part of it.
set -eu
. "$(dirname "$0")/common.sh"
need_swift_6_2
exec env PYTHONPATH=Tests PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 Scripts/test.py "$@"
