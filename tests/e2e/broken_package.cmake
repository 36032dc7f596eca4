# SPDX-License-Identifier: BSD-3-Clause
# The step `check` is the last word: a package that is not good makes it, and the workflow, fail.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(stage "${first}/build/${preset}/stage/libtorch-shared-with-deps/libtorch")

# A zip that was cut off after packing.
file(SIZE "${first_zip}" size)
math(EXPR half "${size} / 2")
file(RENAME "${first_zip}" "${TSB_TEST_DIR}/whole.zip")
execute_process(
  COMMAND head -c ${half} "${TSB_TEST_DIR}/whole.zip" OUTPUT_FILE "${first_zip}" COMMAND_ERROR_IS_FATAL ANY
)
run_in("${first}" COMMAND "${CMAKE_COMMAND}" --build --preset ${preset}-check)
bad("half a zip" "${first_zip} does not pass its checks")
workflow("${first}")
good("half a zip is packed again")
same_zip("half a zip is packed again" "${first}")

# A staged tree that something was done to after its own check.
file(WRITE "${stage}/share/stray.cmake" "include(\"${first}/build/x.cmake\")\n")
file(REMOVE "${first_zip}")
workflow("${first}")
bad(
  "a path of the build folder in the package" "FAIL" "share/stray.cmake" "${first_zip} does not pass its checks"
  "the rows above say which and why"
)
tsb_expect("the consumer" LACKS "${output}" "works in two folders")
workflow("${first}")
bad("the same, again" "${first_zip} does not pass its checks")

file(REMOVE "${stage}/share/stray.cmake" "${first_zip}")
workflow("${first}")
good("fixed")
same_zip("fixed" "${first}")
