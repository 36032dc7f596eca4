# SPDX-License-Identifier: BSD-3-Clause
# Another machine, in an empty network namespace, with nothing but the folder of sources that the first one filled:
# `fetch`, then everything else, and the zip is the same byte for byte although the folders have other names.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(tree "${WORK}/other")
copy_tree("${tree}")
set(unshare "")
foreach(options IN ITEMS "-n" "-r;-n")
  execute_process(COMMAND unshare ${options} true RESULT_VARIABLE refused OUTPUT_QUIET ERROR_QUIET)
  if(refused EQUAL 0)
    set(unshare unshare ${options})
    break()
  endif()
endforeach()
set(settings "TSB_SOURCES=${WORK}/sources of other" TSB_OFFLINE=1)
run_in(
  "${tree}"
  WITH ${unshare}
  ENVIRONMENT ${settings} "TSB_SOURCE_MIRROR=${WORK}/sources"
  COMMAND "${CMAKE_COMMAND}" --preset ${preset}
)
good("configure")
run_in(
  "${tree}"
  WITH ${unshare}
  ENVIRONMENT ${settings} "TSB_SOURCE_MIRROR=${WORK}/sources"
  COMMAND "${CMAKE_COMMAND}" --build --preset ${preset} --target fetch
)
good("fetch")
tsb_expect("fetch alone" LACKS "${output}" "-- pytorch patch")
tsb_expect("the sources" EXISTS "${WORK}/sources of other/pytorch/${pytorch}/pytorch-stand-in-${pytorch}.tar.gz")

# From here on without the mirror.
workflow("${tree}" WITH ${unshare} ENVIRONMENT ${settings} TSB_SOURCE_MIRROR=)
good("the workflow")
tsb_expect("it was built here" CONTAINS "${output}" "-- pytorch build")
same_zip("two folders" "${tree}")

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
file(REMOVE_RECURSE "${tree}/build/${preset}/stage" "${tree}/dist")
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
same_zip("two days" "${tree}")
if(NOT unshare)
  message("SKIP: unshare -n is not permitted here, so all of it was done with a network at hand")
endif()
