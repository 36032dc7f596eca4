#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The part of run_on.sh that runs in the new machine, as its user. Leaves in ~/outcome: facts (what the machine has), steps
# (name, exit status, seconds, CPU seconds) and words (what passed, in words for the table).
# shellcheck disable=SC2317  # steps are functions that step() calls
set -uo pipefail

job=$1
outcome=$HOME/outcome
preset=${MACHINE_PRESET:-cpu-libtorch-shared}
build=$HOME/torch-superbuild/build/$preset
mkdir -p "$outcome"
cd "$HOME/torch-superbuild" || exit 1
failed=0

step() { # <name> <command>...
  local name=$1 status=0 begin=$SECONDS cpu
  shift
  echo "== $name: $*"
  TIMEFORMAT='%U %S'
  { time "$@" >&3 2>&1 || status=$?; } 3>&1 2>"$outcome/time"
  cpu=$(awk 'END { printf "%d", $1 + $2 }' "$outcome/time")
  printf '%s\t%s\t%s\t%s\n' "$name" "$status" $((SECONDS - begin)) "$cpu" >>"$outcome/steps"
  echo "== $name: exit status $status after $((SECONDS - begin)) s"
  [ "$status" = 0 ] || failed=1
  return "$status"
}

say() { echo "$*" >>"$outcome/words"; }

newer_tools() {
  local cmake=cmake==$MACHINE_CMAKE
  [ "$MACHINE_CMAKE" != newest ] || cmake=cmake
  python3 -m venv "$HOME/tools" && "$HOME/tools/bin/pip" install --quiet "$cmake" ninja
}

facts() {
  # bootstrap.sh puts newer tools there where the distribution's are too old.
  [ ! -d build/tools/bin ] || PATH=$PWD/build/tools/bin:$PATH
  # shellcheck disable=SC1091
  . /etc/os-release
  {
    echo "machine=$PRETTY_NAME"
    echo "libc=$(getconf GNU_LIBC_VERSION)"
    echo "compiler=$("${CXX:-c++}" --version 2>/dev/null | head -n 1)"
    echo "cmake=$(cmake --version 2>/dev/null | sed -n '1s/^cmake version //p')"
    echo "ninja=$(ninja --version 2>/dev/null)"
    echo "python=$("${TSB_PYTHON:-python3}" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])')"
    echo "cores=$(nproc)"
  } >"$outcome/facts"
}

# A line of CMake's own in front of a user is a fault, whatever the exit status says.
no_cmake_warnings() { # <log>
  ! grep -nE '^CMake (Deprecation |Developer )?(Warning|Error)' "$1"
}

main_job() {
  [ -z "${MACHINE_FLAGS:-}" ] || compilers_with_flags
  step main-job ./bootstrap.sh "$preset" | tee "$outcome/main.log"
  [ "${PIPESTATUS[0]}" = 0 ] || failed=1
  step no-cmake-warnings no_cmake_warnings "$outcome/main.log"
  [ ! -d dist ] || say "$(find dist \( -name 'libtorch-*.zip' -o -name '*.whl' -o -name '*.conda' \) -printf '%f %s\n' |
    awk '{ printf "%s, %d MB\n", $1, $2 / 1000000 }')"
}

run_rocm() {
  preset=rocm7.2-libtorch-shared
  export TSB_ROCM_ARCHS=gfx90a
  main_job
}

# CC and CXX, with the flags behind all others.
compilers_with_flags() {
  local name compiler
  mkdir -p "$HOME/compilers"
  for name in cc c++; do
    compiler=${CXX:-c++}
    [ "$name" = c++ ] || compiler=${CC:-cc}
    printf '#!/bin/sh\nexec %s "$@" %s\n' "$compiler" "$MACHINE_FLAGS" >"$HOME/compilers/$name"
    chmod +x "$HOME/compilers/$name"
  done
  export CC=$HOME/compilers/cc CXX=$HOME/compilers/c++
}

install_tools() { step install ./bootstrap.sh --install-only "$@"; }

configure() { # [<argument>...]
  step configure cmake --preset "$preset" "$@" 2>&1 | tee "$outcome/configure.log"
  [ "${PIPESTATUS[0]}" = 0 ] || { failed=1 && return 1; }
  step no-cmake-warnings no_cmake_warnings "$outcome/configure.log"
}

run_tests() { # <bootstrap argument>
  step "$1" ./bootstrap.sh "$1" | tee "$outcome/tests.log"
  [ "${PIPESTATUS[0]}" = 0 ] || failed=1
  step no-cmake-warnings no_cmake_warnings "$outcome/tests.log"
  say "$(sed -n 's/.*% tests passed, \([0-9]*\) tests failed out of \([0-9]*\)/\2 tests, \1 failed/p' "$outcome/tests.log")"
}

run_packages() {
  install_tools cpu-libtorch-shared-openblas && facts
  local package passed=
  for package in mkl sleef protobuf numpy build-requirements nnpack-generator openblas; do
    configure -D TSB_PACKAGES=$package &&
      step "$package" cmake --build --preset "$preset" --target $package && passed="$passed $package"
  done
  say "built:${passed:- none}"
}

codegen() {
  install_tools "$preset" && facts
  configure -U TSB_PACKAGES || return
  step fetch cmake --build --preset "$preset" --target fetch || return
  step pytorch-configure cmake --build --preset "$preset" --target pytorch-configure || return
}

# NCCL and a stand-in for MAGMA whole, and some of what nvcc compiles of PyTorch, with the distribution's toolkit.
run_cuda() {
  preset=cu$(nvcc --version | sed -n 's/.*release \([0-9]*\)\.\([0-9]*\),.*/\1\2/p')-libtorch-shared
  build=$HOME/torch-superbuild/build/$preset
  install_tools "$preset" && facts
  # The toolkit's package brings a gcc along that nvcc takes; the distribution's default may be newer.
  TSB_CUDA_HOST_COMPILER=$(find /usr/bin -name 'g++-[0-9]*' | sort -V | head -n 1)
  TSB_LOCAL_magma=$HOME/torch-superbuild/tests/fixtures/magma-stand-in
  TSB_CUDNN_HOME=$HOME/cudnn
  export TSB_CUDA_ARCHS=9.0 TSB_CUDA_HOST_COMPILER TSB_LOCAL_magma TSB_CUDNN_HOME
  # The version of release.json, by the hash that the check of the small wheel has.
  sed -n '/^nvidia-cudnn-cu12==9[.]1[.]/,/[^\\]$/p' releases/*/wheel_check/libraries.txt >"$outcome/cudnn.txt"
  step cudnn python3 -m pip install --quiet --upgrade --require-hashes --only-binary :all: --no-deps \
    --target "$TSB_CUDNN_HOME" -r "$outcome/cudnn.txt" || return
  configure -U TSB_PACKAGES || return
  local package passed=
  for package in cuda-toolkit nccl magma; do
    step "$package" cmake --build --preset "$preset" --target "$package" && passed="$passed $package"
  done
  say "built:${passed:- none}"
  step pytorch-configure cmake --build --preset "$preset" --target pytorch-configure &&
    step cuda ninja_of_pytorch cuda "" && say "$(cat "$outcome/selection")"
}

# Runs targets of PyTorch's own build, in an environment as scrubbed as that of its build phase.
ninja_of_pytorch() { # <what: codegen, sample or cuda> <flags>
  local folder=$build/packages/pytorch/build
  python3 "$HOME/sample_targets.py" "$folder" "$1" "$2" "$outcome/selection" || return
  env -i PATH="$PATH" HOME="$HOME" LANG=C.UTF-8 CCACHE_BASEDIR="$HOME" CCACHE_NOHASHDIR=1 \
    PYTHONPATH="$build/packages/build-requirements/install/site-packages" PYTHONDONTWRITEBYTECODE=1 \
    ninja -C "$folder" -f tsb-sample.ninja -k 0 ${TSB_JOBS:+-j "$TSB_JOBS"} tsb-sample >"$outcome/sample.log" 2>&1
  local status=$?
  grep -a '^FAILED: ' "$outcome/sample.log" | sort -u >"$outcome/failures" || :
  cat "$outcome/failures"
  grep -aE '(error|ERROR|Error): ' "$outcome/sample.log" | sort | uniq -c | sort -rn | head -n 40
  return "$status"
}

if [ -n "${MACHINE_CMAKE:-}" ]; then
  step newer-cmake newer_tools
  PATH=$HOME/tools/bin:$PATH
fi
case $job in
  main-job) main_job ;;
  rocm) run_rocm ;;
  tests) run_tests --test ;;
  tests-fast) run_tests tests-fast ;;
  packages) run_packages ;;
  cuda) run_cuda ;;
  codegen)
    codegen && step codegen ninja_of_pytorch codegen ""
    say "$(cat "$outcome/selection" 2>/dev/null)"
    ;;
  sample)
    codegen && step sample ninja_of_pytorch sample "${MACHINE_FLAGS:-}"
    say "$(cat "$outcome/selection" 2>/dev/null), $(wc -l <"$outcome/failures") failed"
    ;;
esac
facts
exit $failed
