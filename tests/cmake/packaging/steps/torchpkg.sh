#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stands in for `torchpkg pack --root R --output O` and `torchpkg check P --forbid-path F --forbid-path F --report J
# --report X ...`.
case $1 in
  pack) cat "$3"/* >"$5" ;;
  check) echo '{}' >"$8" ;;
esac
