# SPDX-License-Identifier: BSD-3-Clause
# The tools for tests come from the Python index, once, for the tests only; without them the tests go on.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tools_of_all_kinds()
tool(apt-get)
tool(apt-cache)
tool(mkdir "exec /bin/mkdir \"$@\"")
tool(
  python3
  [[
case "$*" in *--isolated*) ;; *) exit 0 ;; esac
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/bin"]]
)

file(REMOVE_RECURSE "${copy}/build")
bootstrap(--install-only cpu-libtorch-shared)
tsb_expect("a build needs none" LACKS "${calls}" "pip download")

# A remote store is asked by such tools, unless there is no network.
set(ENV{TSB_STORE_REMOTE} https://host/store)
bootstrap(--install-only cpu-libtorch-shared)
tsb_expect("a remote store" CONTAINS "${calls}" "-r ${copy}/tools/remote_tools.txt")
tsb_expect("a remote store" LACKS "${calls}" "-r ${copy}/tests/style_tools.txt")
file(REMOVE_RECURSE "${copy}/build")
set(ENV{TSB_OFFLINE} 1)
bootstrap(--install-only cpu-libtorch-shared)
tsb_expect("without a network" LACKS "${calls}" "pip download")
unset(ENV{TSB_OFFLINE})
unset(ENV{TSB_STORE_REMOTE})

bootstrap(--install-only --test)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect(
  "pip" CONTAINS "${calls}"
  "-m pip --isolated install --quiet --require-hashes --only-binary :all: --no-deps --no-index -f ${copy}/build/wheels --target ${style_folder} -r ${copy}/tests/style_tools.txt --quiet"
)
bootstrap(--install-only --test)
tsb_expect("again" LACKS "${calls}" "pip download")
file(WRITE "${style_folder}/pinned" "ruff==0.1")
bootstrap(--install-only --test)
tsb_expect("another version" CONTAINS "${calls}" "pip download")

file(READ "${style_folder}/pinned" pinned)
string(REGEX REPLACE "# Python .*" "# Python 3 0" pinned "${pinned}")
file(WRITE "${style_folder}/pinned" "${pinned}")
bootstrap(--install-only --test)
tsb_expect("another Python" CONTAINS "${calls}" "pip download")
bootstrap(--install-only --test)
tsb_expect("the same Python" LACKS "${calls}" "pip download")

file(REMOVE_RECURSE "${copy}/build")
tool(
  python3
  [[
case "$*" in *--isolated*) ;; *) exit 0 ;; esac
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/half"
exit 1]]
)
bootstrap(--install-only --test)
tsb_expect_end(
  0
  "could not install cmake==4.4.5 cmakelang==0.6.13 ruff==0.17.6 six==1.17.0: the tests that need them will be skipped"
)
tsb_expect("nothing half-made" ABSENT "${style_folder}")
