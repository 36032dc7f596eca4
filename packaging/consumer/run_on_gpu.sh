#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tries a libtorch with CUDA on the GPUs of this machine: unpacks it, builds the consumer against it and runs all its
# checks.
#
#   packaging/consumer/run_on_gpu.sh <libtorch zip> [<folder to work in>]
#
# Needed: the checkout that this file is in, CMake 3.25, Python 3.9, a C++ compiler, make or Ninja, and NVIDIA's driver.
# A toolkit is neither needed nor used: the program has nothing of the environment that could help to find one.
# Says what the checks found, and leaves CTest's report in <folder>/results.xml. Exits with 0 if all passed.
# TSB_GPUS: how many GPUs there have to be; default: as many as the driver shows. TSB_CONSUMER_DIR: another consumer.
set -uf

fail() {
  printf 'error: run_on_gpu.sh: %s\n  %s\n' "$1" "$2" >&2
  exit "$3"
}

usage="usage: run_on_gpu.sh <libtorch zip> [<folder to work in>]"
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  fail "$# arguments" "$usage" 2
fi
[ -f "$1" ] || fail "there is no file $1" "$usage" 3
for tool in cmake python3; do
  command -v $tool >/dev/null || fail "there is no $tool on the PATH" "install CMake 3.25, Python 3.9, or newer" 4
done
here=$(cd "$(dirname "$0")" && pwd)
work=${2:-"$PWD/gpu-check"}

gpus=${TSB_GPUS:-}
# In containers and small virtual machines the driver shows them in the second place.
for devices in "/proc/driver/nvidia/gpus -mindepth 1" "/dev -name nvidia[0-9]*"; do
  # shellcheck disable=SC2086
  [ -n "$gpus" ] || gpus=$(find $devices -maxdepth 1 2>/dev/null | grep -c .) || gpus=
done
[ "$gpus" -gt 0 ] 2>/dev/null || fail "this machine shows no GPU (TSB_GPUS is '$gpus')" \
  "install NVIDIA's driver, or set TSB_GPUS=1 when you know better" 4

engine=$here/../../engine
python3 -ISB "$engine" one_run.run python3 -ISB "$engine" \
  "$here/../run_consumer.py" --quiet "$work" "$(command -v cmake)" "-DTSB_PACKAGE=$1" \
  "-DTSB_CONSUMER=${TSB_CONSUMER_DIR:-$here}" "-DTSB_GPUS=$gpus" ${CXX:+"-DTSB_COMPILER=$CXX"}
status=$?
log="$work/log/first-run.log"
[ -f "$log" ] || exit "$status"
grep -E '^(ok|FAIL|skip) cuda::' "$log"
for word in ok FAIL skip; do
  printf '%s: %s\n' "$word" "$(grep -c "^$word " "$log")"
done
echo "all of it: $log; of all tests: $work/results.xml"
exit "$status"
