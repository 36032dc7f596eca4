#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run_script.sh <cmake> -D... -P <script>: runs a CMake script; an error that the script explained itself
# (tsb_fail) is shown without CMake's own report of where in the script it stood. Any other error is shown whole, and so
# are the errors in a log that is quoted.
exec 3>&1
status=$( { { "$@" 2>&1 >&3 3>&- 4>&-; echo $? >&4; } |
  awk '/^CMake Error at .*tsb_fail\.cmake:[0-9]+ \(message\):$/ { hidden = 1 }
       !hidden { print; fflush() }' >&2; } 4>&1 )
exit "$status"
