# SPDX-License-Identifier: BSD-3-Clause
# With TSB_OFFLINE nothing is asked for: not the distribution, and not the Python index.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tools_of_all_kinds()
tool(apt-get)
tool(apt-cache)
tool(
  python3 [[
[ "$1" = -m ] || exit 0
exit 1]]
)
file(REMOVE_RECURSE "${copy}/build")
foreach(off IN ITEMS 0 OFF)
  set(ENV{TSB_OFFLINE} "${off}")
  bootstrap(--install-only --test)
  tsb_expect("TSB_OFFLINE='${off}'" LACKS "${calls}" "--no-index")
endforeach()
foreach(on IN ITEMS 1 on)
  set(ENV{TSB_OFFLINE} "${on}")
  bootstrap(--install-only --test)
  tsb_expect("pip" CONTAINS "${calls}" "-m pip download --quiet --require-hashes")
  tsb_expect("pip" CONTAINS "${calls}" "--no-index --proxy http://127.0.0.1:9 -d ")
endforeach()

file(REMOVE ${bin}/unzip)
bootstrap(--install-only --test)
tsb_expect("status" EQUAL "${status}" 4)
tsb_expect("the error" CONTAINS "${output}" "bootstrap.sh: missing packages: unzip")
tsb_expect("the error" CONTAINS "${output}" "TSB_OFFLINE is set: install them, or unset it, then run this again")
tsb_expect("apt" LACKS "${calls}" "apt-get")

# Without HOME, as in a service: what is missing is still looked for.
unset(ENV{HOME})
set(ENV{TSB_ADDITIONS} "~/mine")
bootstrap(--install-only --test)
tsb_expect("status without HOME" EQUAL "${status}" 4)
tsb_expect("the error without HOME" CONTAINS "${output}" "bootstrap.sh: missing packages: unzip")
tsb_expect("the error without HOME" LACKS "${output}" "HOME")
