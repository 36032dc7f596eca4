# SPDX-License-Identifier: BSD-3-Clause
# Compilers and a compiler cache that work here, but not with nothing of this shell's environment.
include(${CMAKE_CURRENT_LIST_DIR}/machine.cmake)
tool_of_machine(mktemp)
find_program(cc cc NO_CACHE REQUIRED)
find_program(cxx c++ NO_CACHE REQUIRED)
tool(cc "exec ${cc} \"$@\"")
tool(c++ "exec ${cxx} \"$@\"")
set(checks ARGUMENTS CHECKS compiler compiler_cache compile)
doctor(${checks})
passes("-- compiler cache: none")

tool(
  c++
  "[ -n \"$LIBRARY_PATH\" ] || [ \"$1\" = -dM ] || { echo 'error: no LIBRARY_PATH' >&2; exit 1; }\nexec ${cxx} \"$@\""
)
doctor(LIBRARY_PATH=/lib ${checks})
fails(
  1
  "C++ compiler: ${bin}/c++ makes no program that runs in the packages' environment: error: no LIBRARY_PATH -> packages get none of this shell's variables (LD_LIBRARY_PATH, CPATH, ...): name one in CXX that needs none"
)
tool(c++ "exec ${cxx} \"$@\"")
tool(cc "case $1 in -dM) exec ${cc} \"$@\" ;; esac\necho 'exit 3' >\"$3\"; chmod +x \"$3\"")
doctor(${checks})
fails(1 "C compiler: ${bin}/cc makes no program that runs in the packages' environment:" "one in CC that needs none")
tool(cc "exec ${cc} \"$@\"")

# As ccache says it where HOME is / and one is not root. The settings of the cache are passed on.
tool(
  ccache
  [[case $1 in --version) echo ccache version 4.7.5; exit ;; esac
[ -n "$CCACHE_DIR" ] || { echo "ccache: error: Failed to create directory //.cache/ccache/tmp: Permission denied" >&2; exit 1; }
exec "$@"]]
)
doctor(--unset=CCACHE_DIR HOME=/ ${checks})
fails(
  1 "compiler cache: ccache does not work for ${bin}/cc: ccache: error: Failed to create directory //.cache/ccache/tmp"
  "-> set CCACHE_DIR to a folder that can be written to (HOME is '/')"
  "-> or use no cache: TSB_DOCTOR_SKIP=compiler_cache"
)
doctor(CCACHE_DIR=${TSB_TEST_DIR}/cache HOME=/ ${checks})
passes("-- compiler cache: ccache 4.7.5")
