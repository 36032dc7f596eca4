#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stands for ccache (it is called `ccache` in the tests' PATH): runs the compiler that it is given, and notes the objects
# that came out whole. Files beside it make trouble:
#
#   hold       a source's name: its compiler does not begin until it is killed; the file `held` says that it waits
#   kill-once  a source's name: its compiler says, the first time, that the kernel has killed it for lack of memory
here=$(dirname "$0")
case $1 in
  --version) echo "ccache version 4.0" && exit 0 ;;
esac
for word in "$@"; do
  if [ -f "$here/hold" ] && [ "${word##*/}" = "$(cat "$here/hold")" ]; then
    : >"$here/held"
    exec sleep 600
  fi
  if [ -f "$here/kill-once" ] && [ "${word##*/}" = "$(cat "$here/kill-once")" ]; then
    rm "$here/kill-once"
    : >"$here/killed"
    echo "c++: fatal error: Killed signal terminated program cc1plus" >&2
    exit 1
  fi
done
object=
previous=
for word in "$@"; do
  [ "$previous" != -o ] || object=$word
  previous=$word
done
"$@" || exit
echo "$object" >>"$here/compiled"
