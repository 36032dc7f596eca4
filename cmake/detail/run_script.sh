#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a CMake script that explains its failures itself, and leaves with its code:
#
#   sh run_script.sh cmake -D NAME=VALUE... -P script.cmake
#
# Before CMake 3.29 a script can only fail through an error that CMake prints with its own report of where in the script
# it stood. So tsb_fail's report is left out here (any other error is shown whole, and so are errors in a log that is
# quoted), and a script that wants a code of its own hands it over in a file (z_tsb_script_exit).
#
# What a script is at (tsb_progress) is printed again every TSB_PROGRESS_SECONDS (14 unless set), with the time that it has
# taken, so that no script is silent for more than 15 seconds.
exchange=$(mktemp -d) || exit 4
Z_TSB_EXIT_FILE=$exchange/exit
Z_TSB_PROGRESS_FILE=$exchange/progress
export Z_TSB_EXIT_FILE Z_TSB_PROGRESS_FILE
begin=$(date +%s)

# Ends with the script; killed together with it, within one interval.
watch() {
  trap 'kill "$pause" 2>/dev/null; exit 0' TERM
  while [ -d "$exchange" ]; do
    sleep "${TSB_PROGRESS_SECONDS:-14}" >/dev/null 2>&1 &
    pause=$!
    wait "$pause"
    kill -0 $$ 2>/dev/null || exit 0
    if [ -s "$Z_TSB_PROGRESS_FILE" ] && read -r what <"$Z_TSB_PROGRESS_FILE"; then
      echo "-- $what ($(($(date +%s) - begin)) s)"
    fi
  done
}
watch &
watcher=$!
trap 'kill "$watcher" 2>/dev/null; wait "$watcher" 2>/dev/null; rm -rf "$exchange"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
exec 3>&1
code=$( { { "$@" 2>&1 >&3 3>&- 4>&-; echo $? >&4; } |
  sed -u '/^CMake Error at .*tsb_fail\.cmake:[0-9]* (message):$/,$d' >&2; } 4>&1 )
if [ "$code" -eq 0 ] && [ -s "$Z_TSB_EXIT_FILE" ]; then
  read -r code <"$Z_TSB_EXIT_FILE"
fi
exit "$code"
