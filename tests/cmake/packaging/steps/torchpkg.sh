#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stands in for `torchpkg pack zip --root R --output O` and `torchpkg check P --forbid-path F --forbid-path F --report J
# --report X ...`.
case $1 in
  pack) cat "$4"/* >"$6" ;;
  check) echo '{}' >"$8" ;;
esac
