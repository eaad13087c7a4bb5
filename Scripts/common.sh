# Sourced by the other scripts.
cd "$(dirname "$0")/.." || exit 1

# One clear sentence, and the end.
fail() {
  echo "$*" >&2
  exit 1
}

# Whether a toolchain is there at all; said before anything is installed for it.
need_swift() {
  command -v swift >/dev/null ||
    fail "There is no Swift toolchain on PATH: install Swift 6.2 or later from https://www.swift.org/install/linux/," \
      "then try again."
}

# Whether it starts, and is new enough.
need_swift_6_2() {
  need_swift
  if ! said=$(swift --version 2>&1); then
    fail "The Swift toolchain at $(command -v swift) does not start ($(echo "$said" | head -n 1)):" \
      "install the packages that https://www.swift.org/install/linux/ names for it, then try again."
  fi
  version=$(echo "$said" | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | head -n 1)
  # shellcheck disable=SC2086
  set -- $version
  if [ "${1:-0}" -lt 6 ] || { [ "$1" -eq 6 ] && [ "$2" -lt 2 ]; }; then
    fail "Swift 6.2 or later is needed, and $(command -v swift) is ${1:-of an unknown version}${2:+.$2}:" \
      "put a newer toolchain first on PATH, then try again."
  fi
}

# compile_translations FOLDER: every language into FOLDER/de/LC_MESSAGES/app-gates.mo and so on.
compile_translations() {
  for language in $(sed 's/#.*//' data/translations/LINGUAS); do
    mkdir -p "$1/$language/LC_MESSAGES"
    msgfmt --check --output-file="$1/$language/LC_MESSAGES/app-gates.mo" "data/translations/$language.po" ||
      fail "data/translations/$language.po cannot be compiled: msgfmt says above where to mend it."
  done
}
