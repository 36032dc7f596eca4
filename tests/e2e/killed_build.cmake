# SPDX-License-Identifier: BSD-3-Clause
# Another machine: in an empty network namespace, with nothing but the folder of sources that the first one filled.
# While a workflow compiles it is killed (-9). The run after it goes on without compiling finished objects again, bears
# that a compiler is killed for lack of memory, and ends with the same zip, byte for byte, although the folders have
# other names. So does packing on another day.
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

# objects(<var>): those of PyTorch that came out whole, in order.
function(objects out)
  set(lines "")
  if(EXISTS ${TSB_TEST_DIR}/compiled)
    file(STRINGS ${TSB_TEST_DIR}/compiled lines)
  endif()
  list(FILTER lines INCLUDE REGEX "\\.cpp\\.o$")
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# A run in a session of its own and not our child: not one of this test's runs to the lock. It is left at a compiler
# that is held, while the other one of the two jobs goes on for a while.
stand_in_environment(environment "${tree}" ${settings})
execute_process(
  COMMAND setsid -f sh -c "out=$1 && shift && exec \"$@\" >\"$out\" 2>&1 </dev/null" sh "${TSB_TEST_DIR}/first.txt"
          ${unshare} ${environment} "${CMAKE_COMMAND}" --workflow --preset ${preset} WORKING_DIRECTORY "${tree}"
)
foreach(attempt RANGE 1200)
  if(EXISTS "${TSB_TEST_DIR}/held")
    break()
  endif()
  execute_process(COMMAND sleep 0.25)
endforeach()
if(NOT EXISTS "${TSB_TEST_DIR}/held")
  execute_process(COMMAND tail -n 30 "${TSB_TEST_DIR}/first.txt" OUTPUT_VARIABLE tail)
  message(FATAL_ERROR "waited for the compiler that is held in vain:\n${tail}")
endif()
file(READ "${tree}/build/${preset}/.lock" lock)
string(JSON holder GET "${lock}" run 0)
execute_process(COMMAND sleep 3)
objects(finished)
if(NOT finished)
  message(FATAL_ERROR "no object was finished before the kill, so there is nothing to see")
endif()
execute_process(COMMAND kill -9 ${holder})
execute_process(COMMAND flock -w 30 "${tree}/build/${preset}/.lock" true COMMAND_ERROR_IS_FATAL ANY
)# all of it has ended
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
