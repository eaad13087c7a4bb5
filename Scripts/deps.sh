#!/bin/sh
# deps.sh build [test]: installs the Debian packages of packages-build.txt (and packages-test.txt) that are missing.
# Silent where none is. As root directly, otherwise through sudo.
set -eu
. "$(dirname "$0")/common.sh"

names() { for list in "$@"; do sed 's/#.*//' "Scripts/packages-$list.txt"; done | xargs; }

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  modules="gio-unix-2.0 libadwaita-1 libsecret-1 sqlite3 json-glib-1.0 libsoup-3.0"
  # shellcheck disable=SC2086
  pkg-config --exists $modules 2>/dev/null && exit 0
  fail "This system has no apt-get: install the development files of GTK 4, libadwaita, libsecret, SQLite, json-glib," \
    "libsoup 3 and PAM with its own package manager (Debian calls them libgtk-4-dev, libadwaita-1-dev, libsecret-1-dev," \
    "libsqlite3-dev, libjson-glib-dev, libsoup-3.0-dev and libpam0g-dev), with pkg-config and a C compiler, then try again."
fi

wanted=$(names "$@")
# shellcheck disable=SC2086
installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' $wanted 2>/dev/null | sed -n 's/ installed$//p' || true)
missing=
for name in $wanted; do
  echo "$installed" | grep -qxF -- "$name" || missing="$missing $name"
done
[ -n "$missing" ] || exit 0

install="apt-get install --yes --no-install-recommends$missing"
as_root=
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null ||
    fail "Packages are missing and there is no sudo: run this as root, then try again: $install"
  echo "These packages are missing:$missing"
  echo "Installing them as root: sudo $install"
  # sudo asks on the terminal itself; where there is none its complaint adds nothing to our sentence.
  if [ -t 2 ]; then sudo -v; else sudo -v 2>/dev/null; fi ||
    fail "sudo did not let you in: have this run as root, then try again: $install"
  as_root=sudo
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The lists of a fresh machine are empty or old. A source that fails matters only where the installation then fails.
$as_root env LC_ALL=C apt-get update -qq >"$log" 2>&1 || true
echo "Installing$missing"
# shellcheck disable=SC2086
if $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive $install -o DPkg::Lock::Timeout=60 >>"$log" 2>&1; then
  exit 0
fi
no_network="Could not resolve|Temporary failure|Could not connect|Unable to connect|Network is unreachable"
no_network="$no_network|Cannot initiate"
if grep -qE "$no_network" "$log"; then
  fail "The missing packages cannot be fetched, because there is no network or the package server does not answer:" \
    "connect this machine, then try again."
elif grep -qE 'Could not get lock|Unable to acquire' "$log"; then
  fail "Another program is installing packages: wait until it has finished, then try again."
elif unknown=$(grep -oE 'Unable to locate package [^ ]+' "$log" | head -n 1) && [ -n "$unknown" ]; then
  fail "This release has no package ${unknown##* }: Debian 12 or Ubuntu 24.04 and later have all that is needed."
fi
fail "apt-get could not install$missing ($(sed -n 's/^E: //p' "$log" | tail -n 1)): repair that, then try again."
