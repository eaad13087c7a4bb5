#!/bin/sh
# Installs what is missing, builds a release and starts it. Without a display: walks through every screen on a private
# display. With --tour: the same in any case, and again in dark colours, 360 px wide and right to left.
set -eu
. "$(dirname "$0")/common.sh"
need_swift
tour=
all=
[ "${1-}" != --tour ] || { tour=yes && all=--all; }
[ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ] || tour=yes
Scripts/deps.sh build ${tour:+test}
Scripts/build.sh release
# Where the program of a checkout looks for them.
compile_translations .build/locale
[ -n "$tour" ] || exec .build/release/app-gates
exec env APP_GATES_BIN="$PWD/.build/release" PYTHONPATH=Tests PYTHONDONTWRITEBYTECODE=1 \
  /usr/bin/python3 Tests/Tour/tour.py $all build/screens
