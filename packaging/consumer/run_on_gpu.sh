#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Tries a libtorch with CUDA on the GPUs of this machine: unpacks it, builds the consumer against it and runs all its
# checks.
#
#   packaging/consumer/run_on_gpu.sh <libtorch zip> [<folder to work in>]
#
# Needed: the checkout that this file is in, CMake 3.25, Python 3.9, a C++ compiler, make or Ninja, and NVIDIA's driver.
# A toolkit is neither needed nor used, and LD_LIBRARY_PATH is empty when the program runs.
# Says what the checks found, and leaves the same as JSON in <folder>/gpu.json. Exits with 0 if all passed.
# TSB_GPUS: how many GPUs there have to be; default: as many as the driver shows. TSB_CONSUMER_DIR: another consumer.
set -u

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
if [ -z "$gpus" ]; then
  gpus=0
  for device in /proc/driver/nvidia/gpus/*; do
    [ -e "$device" ] && gpus=$((gpus + 1))
  done
  # In containers and small virtual machines the driver shows them in another place.
  if [ "$gpus" -eq 0 ]; then
    for device in /dev/nvidia[0-9]*; do
      [ -e "$device" ] && gpus=$((gpus + 1))
    done
  fi
fi
[ "$gpus" -gt 0 ] 2>/dev/null || fail "this machine shows no GPU (TSB_GPUS is '$gpus')" \
  "install NVIDIA's driver, or set TSB_GPUS=1 when you know better" 4

# The toolkit, if there is one, must not help.
env -u LD_LIBRARY_PATH -u CUDA_HOME -u CUDA_PATH python3 -I -S -B "$here/../../cmake/run/run.py" cmake \
  "-DTSB_PACKAGE=$1" "-DTSB_CONSUMER=${TSB_CONSUMER_DIR:-$here}" "-DTSB_WORK=$work" "-DTSB_GPUS=$gpus" \
  "-DTSB_RESULT=$work/gpu.json" ${CXX:+"-DTSB_COMPILER=$CXX"} \
  -P "$here/../../packaging/libtorch/consumer_check.cmake"
status=$?
log="$work/log/first-run.log"
if [ -f "$log" ]; then
  echo
  grep -E '^(ok|FAIL|skip) cuda::' "$log"
  echo
  for word in ok FAIL skip; do
    printf '%s: %s\n' "$word" "$(grep -c "^$word " "$log")"
  done
  echo "all of it: $log, and as JSON: $work/gpu.json"
fi
exit "$status"
