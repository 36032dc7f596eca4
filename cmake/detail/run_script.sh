#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a CMake script that explains its failures itself, and leaves with its code:
#
#   sh run_script.sh cmake -D NAME=VALUE... -P script.cmake
#
# Before CMake 3.29 a script can only fail through an error that CMake prints with its own report of where in the script
# it stood. So tsb_fail's report is left out here (any other error is shown whole, and so are errors in a log that is
# quoted), and a script that wants a code of its own hands it over in a file (z_tsb_script_exit).
TSB_EXIT_FILE=$(mktemp) || exit 4
export TSB_EXIT_FILE
trap 'rm -f "$TSB_EXIT_FILE"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
exec 3>&1
code=$( { { "$@" 2>&1 >&3 3>&- 4>&-; echo $? >&4; } |
  sed -u '/^CMake Error at .*tsb_fail\.cmake:[0-9]* (message):$/,$d' >&2; } 4>&1 )
if [ "$code" -eq 0 ] && [ -s "$TSB_EXIT_FILE" ]; then
  read -r code <"$TSB_EXIT_FILE"
fi
exit "$code"
