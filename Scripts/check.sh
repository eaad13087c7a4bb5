#!/bin/sh
# All that can be looked at without a build.
set -eu
. "$(dirname "$0")/common.sh"
need_swift_6_2
result=0
swift format lint --strict --parallel --recursive Package.swift Sources Tests || result=1
PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 Tests/Check/check.py || result=1
exit $result
