#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Runs a CMake script and leaves with the code that the script chose (see detail/z_tsb_script_exit.cmake):
#
#   sh run_script.sh cmake -D NAME=VALUE... -P script.cmake
#
# Before CMake 3.29 a script can only fail through an error that CMake prints with its own frames around it. Our
# scripts print what a user needs and nothing else, so they hand their code over in a file.
TSB_EXIT_FILE=$(mktemp) || exit 4
export TSB_EXIT_FILE
trap 'rm -f "$TSB_EXIT_FILE"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
"$@"
code=$?
if [ "$code" -eq 0 ] && [ -s "$TSB_EXIT_FILE" ]; then
  read -r code <"$TSB_EXIT_FILE"
fi
exit "$code"
