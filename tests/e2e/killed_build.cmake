# SPDX-License-Identifier: BSD-3-Clause
# While a workflow compiles, a second one in the same folder is told who holds it. Then the first one is killed (-9), and
# the next run ends what it left behind, goes on without compiling finished objects again, bears that a compiler is
# killed for lack of memory, and ends with the same zip.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
if(NOT EXISTS /proc/self/stat)
  message("SKIP: there is no /proc here, so nothing is locked")
  return()
endif()
set(tree "${WORK}/killed")
set(victim Kernels.cpp)
copy_tree("${tree}")
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/launcher.sh ${TSB_TEST_DIR}/ccache)
file(CHMOD ${TSB_TEST_DIR}/ccache PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
file(WRITE ${TSB_TEST_DIR}/hold ${victim})
set(settings "PATH=${TSB_TEST_DIR}:$ENV{PATH}" TSB_JOBS=2)

# wait_for("<what>" <condition>...)
macro(wait_for what)
  foreach(attempt RANGE 1200)
    if(${ARGN})
      break()
    endif()
    execute_process(COMMAND sleep 0.25)
  endforeach()
  if(NOT (${ARGN}))
    execute_process(COMMAND tail -n 30 "${TSB_TEST_DIR}/first.txt" OUTPUT_VARIABLE tail)
    message(FATAL_ERROR "waited for ${what} in vain:\n${tail}")
  endif()
endmacro()

# objects(<var>): those of PyTorch that came out whole, in order.
function(objects out)
  set(lines "")
  if(EXISTS ${TSB_TEST_DIR}/compiled)
    file(STRINGS ${TSB_TEST_DIR}/compiled lines)
  endif()
  list(FILTER lines INCLUDE REGEX "\\.cpp\\.o$")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# The first run, in a session of its own and no child of ours: not one of this test's runs to the lock.
stand_in_environment(environment "${tree}" ${settings})
execute_process(
  COMMAND
    setsid -f sh -c "out=$1 && shift && exec \"$@\" >\"$out\" 2>&1 </dev/null" sh "${TSB_TEST_DIR}/first.txt"
    ${environment} "${CMAKE_COMMAND}" --workflow --preset ${preset}
  WORKING_DIRECTORY "${tree}"
)
wait_for("the compiler that is held" EXISTS "${TSB_TEST_DIR}/held")
file(READ "${tree}/build/${preset}/.lock.json" lock)
string(JSON holder GET "${lock}" pid)
# The other one of the two jobs goes on for a while.
execute_process(COMMAND sleep 3)
objects(finished)
if(NOT finished)
  message(FATAL_ERROR "no object was finished before the kill, so there is nothing to see")
endif()

workflow("${tree}" ENVIRONMENT ${settings})
bad(
  "the second workflow"
  "another run is working in ${tree}/build/${preset}: process ${holder}, since "
  "--workflow --preset ${preset}"
  "wait until it has ended, or end it (kill ${holder}), then run this again"
)
tsb_expect("the first one goes on" EXISTS "/proc/${holder}")

execute_process(COMMAND kill -9 ${holder})
wait_for("the end of the first run" NOT EXISTS "/proc/${holder}")
file(REMOVE ${TSB_TEST_DIR}/hold)
file(WRITE ${TSB_TEST_DIR}/kill-once ${victim})
objects(finished)
workflow("${tree}" ENVIRONMENT ${settings})
good("the run after the kill")
tsb_expect("what was left behind" CONTAINS "${output}" "A killed run left processes behind in ${tree}/build/${preset}")
tsb_expect("the packages before" LACKS "${output}" "-- sleef build")
tsb_expect("PyTorch is not configured again" LACKS "${output}" "-- pytorch configure")
tsb_expect("the killed compiler" EXISTS ${TSB_TEST_DIR}/killed)
tsb_expect("the killed compiler" CONTAINS "${output}" "the compiler was killed for lack of memory: ")
tsb_expect("the killed compiler" CONTAINS "${output}" "${victim}.o; trying it again alone")
objects(all)
foreach(object IN LISTS finished)
  set(times 0)
  foreach(one IN LISTS all)
    if(one STREQUAL object)
      math(EXPR times "${times} + 1")
    endif()
  endforeach()
  tsb_expect("how often ${object} was compiled" EQUAL ${times} 1)
endforeach()
same_zip("after the kills" "${tree}")
only_the_zip("${tree}/dist")
