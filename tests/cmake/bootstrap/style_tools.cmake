# SPDX-License-Identifier: BSD-3-Clause
# The style tools come from the Python index, once, for the tests only; without them the tests go on.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tools_of_all_kinds()
tool(apt-get)
tool(apt-cache)
tool(mkdir "exec /bin/mkdir \"$@\"")
tool(
  python3 [[
[ "$1" = -m ] || exit 0
mkdir -p "$7/bin"]]
)

file(REMOVE_RECURSE "${copy}/build")
bootstrap(--install-only cpu-libtorch-shared)
tsb_expect("a build needs none" LACKS "${calls}" "pip install")

bootstrap(--install-only --test)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("pip" CONTAINS "${calls}" "-m pip install --quiet --no-deps --target ${style_folder} ${style_tools}")
bootstrap(--install-only --test)
tsb_expect("again" LACKS "${calls}" "pip install")
file(WRITE "${style_folder}/pinned" "ruff==0.1")
bootstrap(--install-only --test)
tsb_expect("another version" CONTAINS "${calls}" "pip install")

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
tsb_expect("it says so" CONTAINS "${output}" "could not install ${style_tools}: the tests of the format")
tsb_expect("nothing half-made" ABSENT "${style_folder}")
