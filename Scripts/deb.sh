#!/bin/sh
# deb.sh [further arguments of dpkg-buildpackage]: builds the Debian package from a copy of the sources, as an ordinary
# user and without the network; what comes out lies in build/.
#
# BUILT=folder takes programs that were built before: for the tests of the package, never for a package to publish.
set -eu
case ${BUILT:=} in /* | '') ;; *) BUILT=$PWD/$BUILT ;; esac
. "$(dirname "$0")/common.sh"
need_swift_6_2
command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null ||
  fail "There is no dpkg-buildpackage or no debhelper here: install debhelper and dpkg-dev, then try again."
version=$(sed -n 's/.*APP_GATES_VERSION "\(.*\)"/\1/p' Sources/AuthWire/include/AppGatesVersion.h)
folder=$PWD/build/deb/app-gates-$version

# A copy: the build leaves nothing in the checkout, and sees nothing that is not part of it.
rm -rf "$folder" && mkdir -p "$folder"
if [ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$PWD" ]; then
  # Also what is not committed yet; not what is ignored. What was removed and not committed is missing, and no fault.
  git ls-files -z --cached --others --exclude-standard
else
  find . -mindepth 1 -path ./build -prune -o -path ./.build -prune -o ! -type d -print0
fi | tar --create --null --files-from=- --ignore-failed-read --mode=u+rw,go=rX | tar --extract --directory "$folder"

cd "$folder"
BUILT=$BUILT nice dpkg-buildpackage --no-sign --build=binary "$@"
cd ../../..
mv build/deb/app-gates*_* build/
rm -rf build/deb
ls -l build/app-gates*_*.*deb
