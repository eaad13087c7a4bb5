#!/bin/sh
# fuzz.sh [target …]: feeds each parser with made-up input, $SECONDS_EACH long (60), from its corpus in Tests/Fuzz.
#
# What breaks one is left in build/fuzz/<target>, and is worth a place in the corpus once the fault is gone.
# KEEP=yes puts what reached new code into the corpus.
set -eu
. "$(dirname "$0")/common.sh"
need_swift_6_2
SECONDS_EACH=${SECONDS_EACH:-60}
export APP_GATES_FUZZ=any
swift build --scratch-path .build/fuzz --sanitize fuzzer --product fuzz
# Without a target it says which there are.
targets=${*:-$(.build/fuzz/debug/fuzz 2>/dev/null | sed -n 's/^Set .* one of: //p')}
[ -n "$targets" ] || fail "The fuzzer does not say its targets: run .build/fuzz/debug/fuzz to see why."

home=$(mktemp -d /dev/shm/app-gates-fuzz.XXXXXX)
trap 'rm -rf "$home"' EXIT
trap 'exit 130' INT TERM
status=0
for target in $targets; do
  found=build/fuzz/$target
  corpus=Tests/Fuzz/corpus/$target
  rm -rf "$found"
  mkdir -p "$found/new" "$home/$target"
  echo "fuzz: $target, $SECONDS_EACH s"
  # An input that takes over 5 s counts as a hang; 4 KiB is far above what these files need.
  if env HOME="$home/$target" APP_GATES_FUZZ="$target" G_MESSAGES_DEBUG= .build/fuzz/debug/fuzz \
    -max_total_time="$SECONDS_EACH" -timeout=5 -max_len=4096 -rss_limit_mb=1024 -print_final_stats=1 \
    -artifact_prefix="$found/" "$found/new" "$corpus" >"$found/log" 2>&1; then
    sed -n 's/^stat::number_of_executed_units: */  inputs: /p; s/^stat::new_units_added: */  of which new: /p' "$found/log"
    if [ "${KEEP:-}" = yes ]; then
      env HOME="$home/$target" APP_GATES_FUZZ="$target" .build/fuzz/debug/fuzz -merge=1 "$corpus" "$found/new" \
        >>"$found/log" 2>&1
    fi
  else
    status=1
    grep -E 'Fatal error|ERROR|SUMMARY' "$found/log" | sed 's/^/  /' || true
    echo "  It broke: see $found/log, and the input beside it."
  fi
done
exit $status
