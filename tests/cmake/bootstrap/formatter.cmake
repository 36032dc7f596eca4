# SPDX-License-Identifier: BSD-3-Clause
# The formatter of CMake files comes from the Python index, once, for the tests only; without it they go on.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tools_of_all_kinds()
tool(apt-get)
tool(apt-cache)
tool(mkdir "exec /bin/mkdir \"$@\"")
tool(chmod "exec /bin/chmod \"$@\"")
tool(
  python3
  [[
[ "$1" = -m ] || exit 0
mkdir -p "$7/bin"
: >"$7/bin/gersemi"
chmod +x "$7/bin/gersemi"]]
)

file(REMOVE_RECURSE "${copy}/build")
bootstrap(--install-only cpu-libtorch-shared)
tsb_expect("a build needs none" LACKS "${calls}" "pip install")

bootstrap(--install-only --test)
tsb_expect("status" EQUAL "${status}" 0)
string(REGEX REPLACE "^.*-" "" version "${gersemi}")
tsb_expect("pip" CONTAINS "${calls}" "-m pip install --quiet --no-deps --target ${gersemi} gersemi==${version}")
bootstrap(--install-only --test)
tsb_expect("again" LACKS "${calls}" "pip install")

file(REMOVE_RECURSE "${copy}/build")
tool(
  python3
  [[
[ "$1" = -m ] || exit 0
mkdir -p "$7/half"
exit 1]]
)
bootstrap(--install-only --test)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect(
  "it says so"
  CONTAINS
  "${output}"
  "could not install gersemi: the test of the CMake files' format will be skipped"
)
tsb_expect("nothing half-made" ABSENT "${gersemi}")
