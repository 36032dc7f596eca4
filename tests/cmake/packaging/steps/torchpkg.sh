#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stands in for `torchpkg pack --root R --output O` and `torchpkg check P --forbid-path F --forbid-path F --report J ...`.
case $1 in
  pack)
    python3 -c "import pathlib, sys, zipfile
with zipfile.ZipFile(sys.argv[2], 'w') as packed:
    for file in pathlib.Path(sys.argv[1]).iterdir():
        packed.writestr(zipfile.ZipInfo(file.name), file.read_bytes())" "$3" "$5"
    ;;
  check) echo '{"checks": []}' >"$8" ;;
esac
