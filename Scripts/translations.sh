#!/bin/sh
# translations.sh [FILE]: collects every text for translators from the sources into build/app-gates.pot, and brings each
# data/translations/*.po in step with it. With a FILE that is where the texts go, and the languages are left alone.
#
# xgettext does not know Swift. Vala's literals are the nearest: the same escapes and comments, and """ over several
# lines. Tests/Packaging/test_translations.py reads the sources in another way and compares.
set -eu
. "$(dirname "$0")/common.sh"
command -v xgettext >/dev/null && command -v msgmerge >/dev/null ||
  fail "There is no xgettext or no msgmerge here: install gettext, then try again."
id=io.github.appgates.AppGates
pot=${1:-build/app-gates.pot}
version=$(sed -n 's/.*APP_GATES_VERSION "\(.*\)"/\1/p' Sources/AuthWire/include/AppGatesVersion.h)

collect() {
  xgettext --from-code=UTF-8 --add-location=file --package-name=app-gates --package-version="$version" \
    --output="$pot" "$@"
}
mkdir -p "$(dirname "$pot")"
rm -f "$pot"
# tr(words), tr(words, value, …) and tr(one, many, count:), the last of which has literals in two places.
find Sources -name '*.swift' | LC_ALL=C sort |
  collect --language=Vala --keyword --keyword=tr:1 --keyword=tr:1,2,3t --files-from=- --add-comments=Translators:
collect --join-existing "data/$id.desktop"
collect --join-existing "data/$id.metainfo.xml"
# A date that changes without anything else would stand in every difference.
sed -i '/^"POT-Creation-Date:/d' "$pot"

[ $# -eq 0 ] || exit 0
for file in data/translations/*.po; do
  # A guess of msgmerge's would be marked as fuzzy, which nobody sees translated and the tests refuse.
  msgmerge --quiet --update --backup=none --no-fuzzy-matching "$file" "$pot"
  printf '%s: ' "$file"
  msgfmt --check --statistics --output-file=/dev/null "$file" 2>&1
done
