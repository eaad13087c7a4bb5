#!/bin/sh
# Formats the Swift sources in place.
set -eu
. "$(dirname "$0")/common.sh"
need_swift_6_2
exec swift format --in-place --parallel --recursive Package.swift Sources Tests
