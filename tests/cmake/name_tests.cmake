# SPDX-License-Identifier: BSD-3-Clause
# The tests of a workflow end with it, like all that its configure starts (cmake/one_run): they get the name of its run,
# <folder>:<process>.<when that began>. Not those of a later ctest: when a run has ended, all that has its name does.
set(name "$ENV{TORCH_SUPERBUILD_RUN}")
file(
  CONFIGURE
  OUTPUT
  "${CMAKE_BINARY_DIR}/run_name.cmake"
  CONTENT
  [==[
set(name [=[@name@]=])
if(name MATCHES ":([0-9]+)[.]([0-9]+)$")
  set(begun ${CMAKE_MATCH_2})
  execute_process(COMMAND cat "/proc/${CMAKE_MATCH_1}/stat" OUTPUT_VARIABLE stat ERROR_QUIET)
  if(stat MATCHES "[)] [^ZX] .* ${begun} ")
    set(ENV{TORCH_SUPERBUILD_RUN} "${name}")
  endif()
endif()
]==]
  @ONLY
)
set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY TEST_INCLUDE_FILES "${CMAKE_BINARY_DIR}/run_name.cmake")
