#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stands in for the Python that runs `pack_conda.py --root <prefix> --output <dist> ...`: the package's name has the
# hash in $HERE/hash. Its words are in $HERE/ran. It fails while $HERE/fail exists.
[ -e "$HERE/fail" ] && {
  echo 'the disk is full' >&2
  exit 4
}
echo "$*" >>"$HERE/ran"
while [ "$1" != --output ]; do shift; done
mkdir -p "$2/linux-64"
echo conda >"$2/linux-64/libtorch-2.6.0-cpu_mkl_$(cat "$HERE/hash")_0.conda"
