#!/bin/sh
# install.sh DESTDIR PREFIX: puts what was built, and every file that goes with it, below DESTDIR. debian/rules and the
# text in meson-notes.md both call this, so that what is installed, where, and with which rights is said here only.
#
# DESTDIR may be empty. Read from the environment:
#   BUILT       folder of app-gates, app-gates-auth and app-gates-web; .build/release
#   SYSCONFDIR  /etc where PREFIX is /usr, otherwise PREFIX/etc. PAM reads /etc/pam.d and nothing else.
#   PAM         whose files: debian, fedora, arch or opensuse; none leaves them out. Found by /etc/os-release.
#   ZSH         folder of zsh's completions below PREFIX; share/zsh/site-functions
set -eu
# BUILT and DESTDIR may be relative to the folder that this was called from.
DESTDIR=${1?install.sh DESTDIR PREFIX}
PREFIX=${2?install.sh DESTDIR PREFIX}
case ${BUILT:=} in /* | '') ;; *) BUILT=$PWD/$BUILT ;; esac
case $DESTDIR in /* | '') ;; *) DESTDIR=$PWD/$DESTDIR ;; esac
. "$(dirname "$0")/common.sh"
: "${BUILT:=.build/release}"
: "${ZSH:=share/zsh/site-functions}"
case $PREFIX in /usr) : "${SYSCONFDIR:=/etc}" ;; /*) : "${SYSCONFDIR:=$PREFIX/etc}" ;;
*) fail "The prefix is $PREFIX: give a path that begins with a slash, such as /usr." ;; esac
id=io.github.appgates.AppGates

pam_family() {
  words=" $(sed -n 's/^ID\(_LIKE\)\{0,1\}=//p' /etc/os-release 2>/dev/null | tr -d '"' | tr '\n' ' ')"
  case $words in
  *' debian '* | *' ubuntu '*) echo debian ;;
  *' fedora '* | *' rhel '*) echo fedora ;;
  *' arch '*) echo arch ;;
  *suse*) echo opensuse ;;
  *) fail "Whose PAM files fit this system is not known: set PAM to debian, fedora, arch, opensuse or none." ;;
  esac
}
[ -n "${PAM-}" ] || PAM=$(pam_family)
[ "$PAM" = none ] || [ -d "data/pam.d/$PAM" ] ||
  fail "There are no PAM files for $PAM: set PAM to debian, fedora, arch, opensuse or none."
for name in app-gates app-gates-auth app-gates-web; do
  [ -x "$BUILT/$name" ] || fail "There is no $name in $BUILT: build it first (make release), or set BUILT."
done
command -v msgfmt >/dev/null || fail "There is no msgfmt here: install gettext, then try again."

# put MODE FILE TARGET; a target that ends with a slash keeps the file's name.
put() {
  target=$DESTDIR$3
  case $3 in */) target=$target${2##*/} ;; esac
  mkdir -p "$(dirname "$target")"
  install -m "$1" "$2" "$target"
}

put 755 "$BUILT/app-gates" "$PREFIX/bin/"
put 755 "$BUILT/app-gates-auth" "$PREFIX/libexec/app-gates/"
put 755 "$BUILT/app-gates-web" "$PREFIX/libexec/app-gates/"

share=$PREFIX/share
put 644 data/style.css "$share/app-gates/"
for file in data/legal/* data/illustrations/*; do put 644 "$file" "$share/app-gates/${file#data/}"; done
(cd data && find icons -type f) | LC_ALL=C sort | while read -r file; do put 644 "data/$file" "$share/$file"; done
# words KIND FILE TARGET: a file with its words in every language.
words() {
  put 644 "$2" "$3"
  msgfmt "--$1" --template="$2" -d data/translations --output-file="$DESTDIR$3${2##*/}"
}
words desktop "data/$id.desktop" "$share/applications/"
words xml "data/$id.metainfo.xml" "$share/metainfo/"
put 644 "data/dbus/$id.service" "$share/dbus-1/services/"
sed -i "s|@bindir@|$PREFIX/bin|" "$DESTDIR$share/dbus-1/services/$id.service"

for file in data/man/*.[158]; do put 644 "$file" "$share/man/man${file##*.}/"; done
put 644 data/completions/app-gates.bash "$share/bash-completion/completions/app-gates"
put 644 data/completions/app-gates.zsh "$PREFIX/$ZSH/_app-gates"
put 644 data/completions/app-gates.fish "$share/fish/vendor_completions.d/"

compile_translations "$DESTDIR$share/locale"

put 644 data/app-gates.conf "$SYSCONFDIR/xdg/app-gates/"
[ "$PAM" = none ] || for file in "data/pam.d/$PAM"/*; do put 644 "$file" "$SYSCONFDIR/pam.d/"; done
