# SPDX-License-Identifier: BSD-3-Clause
# Another machine: in an empty network namespace, with nothing but the folder of sources that the first one filled, and
# without a quiet moment. Ctrl-C while a workflow compiles ends all of it at once. While the next one compiles, another
# one in the same folder learns who holds it. Then the first of these is killed (-9), and what it started ends with it.
# The run after it goes on without compiling finished objects again, bears that a compiler is killed for lack of memory,
# and ends with the same zip, byte for byte, although the folders have other names. So does packing on another day.
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
use_no_network(unshare)
set(
  settings "PATH=${TSB_TEST_DIR}:$ENV{PATH}" TSB_JOBS=2 TSB_OFFLINE=1 "TSB_SOURCES=${WORK}/sources of killed"
           "TSB_SOURCE_MIRROR=${WORK}/sources"
)

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

# start(): a run in a session of its own and not our child: not one of this test's runs to the lock. It is left at a
# compiler that is held. Sets `holder` to the process that holds the lock, and `session` to its session. A shell in the
# background ignores SIGINT and its children inherit that; at a terminal it is not so.
macro(start)
  file(REMOVE "${TSB_TEST_DIR}/held")
  stand_in_environment(environment "${tree}" ${settings})
  execute_process(
    COMMAND setsid -f env --default-signal=INT sh -c "out=$1 && shift && exec \"$@\" >\"$out\" 2>&1 </dev/null" sh
            "${TSB_TEST_DIR}/first.txt" ${unshare} ${environment} "${CMAKE_COMMAND}" --workflow --preset ${preset}
    WORKING_DIRECTORY "${tree}"
  )
  wait_for("the compiler that is held" EXISTS "${TSB_TEST_DIR}/held")
  file(READ "${tree}/build/${preset}/.lock" lock)
  string(JSON holder GET "${lock}" run 0)
  string(JSON session GET "${lock}" run 1)
endmacro()

# expect_end(<what> <session>): no process of the session is left ten seconds later.
function(expect_end what session)
  foreach(attempt RANGE 40)
    execute_process(COMMAND ps -o pid=,args= -s ${session} OUTPUT_VARIABLE left)
    if(NOT left)
      break()
    endif()
    execute_process(COMMAND sleep 0.25)
  endforeach()
  tsb_expect("processes ten seconds after ${what}" EQUAL "${left}" "")
endfunction()

start()
execute_process(COMMAND kill -INT -- -${session} COMMAND_ERROR_IS_FATAL ANY)
expect_end("Ctrl-C" ${session})
file(READ "${TSB_TEST_DIR}/first.txt" output)
tsb_expect("Ctrl-C" CONTAINS "${output}" "interrupted: the same command continues from here")
tsb_expect("no further step" LACKS "${output}" "Executing workflow step 3 of 5")

start()
# The other one of the two jobs goes on for a while.
execute_process(COMMAND sleep 3)
objects(finished)
if(NOT finished)
  message(FATAL_ERROR "no object was finished before the kill, so there is nothing to see")
endif()

workflow("${tree}" WITH ${unshare} ENVIRONMENT ${settings})
bad(
  "the second workflow" "another run is working in ${tree}/build/${preset}: process ${holder}, since "
  "--workflow --preset ${preset}" "wait until it has ended, or end it (kill ${holder}), then run this again"
)
tsb_expect("the first one goes on" EXISTS "/proc/${holder}")

execute_process(COMMAND kill -9 ${holder})
wait_for("the end of the first run" NOT EXISTS "/proc/${holder}")
expect_end("the kill" ${session})
file(REMOVE ${TSB_TEST_DIR}/hold)
file(WRITE ${TSB_TEST_DIR}/kill-once ${victim})
objects(finished)
workflow("${tree}" WITH ${unshare} ENVIRONMENT ${settings})
good("the run after the kill")
tsb_expect("the sources" EXISTS "${WORK}/sources of killed/pytorch/${pytorch}/pytorch-stand-in-${pytorch}.tar.gz")
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
same_zip("after the kills" "${tree}/dist")
only_the_zip("${tree}/dist")

# Staged and packed on another day. What is compiled cannot see the day: SOURCE_DATE_EPOCH is set for it, and the clock
# of the compilers, whose environment is emptied, cannot be shifted like this.
find_program(faketime NAMES faketime NO_CACHE)
if(NOT faketime)
  message(FATAL_ERROR "faketime is not installed\n  install it: ./bootstrap.sh --install-only --test")
endif()
execute_process(COMMAND "${faketime}" -f "+40d" date +%s OUTPUT_VARIABLE shifted)
string(TIMESTAMP now "%s")
math(EXPR days "(${shifted} - ${now}) / 86400")
if(days LESS 39)
  message(FATAL_ERROR "faketime shifts the clock by ${days} days, not 40")
endif()
file(REMOVE_RECURSE "${tree}/build/${preset}/stage")
foreach(step IN ITEMS "${CMAKE_COMMAND};--build" "${CMAKE_CPACK_COMMAND}")
  # The sanitizers of a torchpkg under test want to be loaded first.
  run_in(
    "${tree}"
    WITH "${faketime}" -f "+40d"
    ENVIRONMENT ${settings} ASAN_OPTIONS=verify_asan_link_order=0
    COMMAND ${step} --preset ${preset}
  )
  good("another day")
endforeach()
tsb_expect("another day" CONTAINS "${output}" "CPack: - package")
same_zip("two days" "${tree}/build/${preset}/packed/libtorch-shared-with-deps")
if(NOT unshare)
  message("SKIP: unshare -n is not permitted here, so all of it was done with a network at hand")
endif()
