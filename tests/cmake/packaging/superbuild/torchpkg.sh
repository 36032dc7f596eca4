#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stands in for `torchpkg pack --root <folder> --output <file> ...`: packs the names of the files, and adds its words
# to $HERE/ran. It fails while $HERE/fail exists.
[ -e "$HERE/fail" ] && {
  echo 'torchpkg: the disk is full' >&2
  exit 4
}
echo "$*" >>"$HERE/ran"
ls "$3" >"$5"
