#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Says what is in a folder, on all cores:
#
#   sh hash_tree.sh <folder> <out> [<file with names, one a line>]
#
# <out>.names  the files below the folder, each with a NUL after it, sorted by byte; links are followed, and what is of
#              git is left out. With the third argument: those named in it.
# <out>.sums   what `sha256sum` prints for them, in that order
#
# Exit code 1, with the file's name on stderr: one cannot be read, or vanished meanwhile.
set -eu
LC_ALL=C
export LC_ALL
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
cd "$1"
if [ $# -gt 2 ]; then
  tr '\n' '\0' <"$3" | sort -z >"$2.names"
else
  # A link that leads back up is named here and not followed: no fault of the folder's.
  code=0
  find -L . -name .git -prune -o -type f -printf '%P\0' >"$parts/found" 2>"$parts/errors" || code=$?
  if grep -v 'File system loop detected' "$parts/errors" >&2; then
    exit 1
  fi
  if [ "$code" -ne 0 ] && [ ! -s "$parts/errors" ]; then
    exit 1
  fi
  sort -z "$parts/found" >"$2.names"
fi
split -t '\0' -l 500 -a 4 "$2.names" "$parts/names."
# shellcheck disable=SC2016 # for the inner shell
find "$parts" -name 'names.*' -print0 |
  xargs -0 -r -n 1 -P "$(nproc)" sh -c 'xargs -0 sha256sum -- <"$1" >"$1.sums"' sh
find "$parts" -name '*.sums' -print0 | sort -z | xargs -0 -r cat -- >"$2.sums"
