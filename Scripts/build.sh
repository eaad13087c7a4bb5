#!/bin/sh
# build.sh debug|release [flags of swift build]: builds the program and its helpers.
set -eu
. "$(dirname "$0")/common.sh"
configuration=$1
shift
need_swift_6_2
# pkg-config's flags for threads and includes are passed by other ways; SwiftPM warns of each, for each library.
quiet() { sed -u '/prohibited flag(s)/d'; }
case $configuration in
release) set -- -c release --static-swift-stdlib --disable-sandbox "$@" ;;
esac
status=$(mktemp)
trap 'rm -f "$status"' EXIT
for product in app-gates app-gates-auth app-gates-web; do
  { swift build "$@" --product "$product" 2>&1 || echo failed >"$status"; } | quiet
  [ ! -s "$status" ] || fail "The build of $product failed; the compiler's messages are above."
done
