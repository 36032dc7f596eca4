# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/detail/tsb_fail.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/model/tsb_read_record.cmake)

# check_version(<out-var> <library> <remedy>): compares the version in the installed magma_types.h with what the
# installed library says about itself, and sets it. A library is asked by loading it; an archive by what magma_version()
# needs of it, made a library. The routines of others that these call may be missing: nothing calls them here.
function(check_version out library remedy)
  set(header "${TSB_INSTALL_DIR}/include/magma_types.h")
  set(version "")
  foreach(part IN ITEMS MAJOR MINOR MICRO)
    file(STRINGS "${header}" line REGEX "^#define MAGMA_VERSION_${part} +[0-9]+" LIMIT_COUNT 1)
    string(REGEX REPLACE ".* " "" line "${line}")
    list(APPEND version "${line}")
  endforeach()
  list(JOIN version "." version)

  get_filename_component(settings_file "${TSB_INSTALL_DIR}/../../../settings.json" ABSOLUTE)
  tsb_read_record("${settings_file}" settings)
  set(work "${TSB_INSTALL_DIR}.version")
  file(MAKE_DIRECTORY "${work}")
  set(asked "${library}")
  if(library MATCHES "\\.a$")
    set(asked "${work}/libversion.so")
    execute_process(
      COMMAND "${settings_CMAKE_CXX_COMPILER}" -shared -Wl,-z,lazy -Wl,-u,magma_version "${library}" -o "${asked}"
              COMMAND_ERROR_IS_FATAL ANY
    )
  endif()
  execute_process(
    COMMAND "${settings_CMAKE_C_COMPILER}" "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/library_version.c" -o
            "${work}/library_version" -ldl COMMAND_ERROR_IS_FATAL ANY
  )
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "LD_LIBRARY_PATH=${TSB_INSTALL_DIR}/lib:$ENV{CUDA_HOME}/lib64"
            "${work}/library_version" "${asked}"
    RESULT_VARIABLE code
    OUTPUT_VARIABLE found
    ERROR_VARIABLE error
    ERROR_STRIP_TRAILING_WHITESPACE
  )
  file(REMOVE_RECURSE "${work}")
  if(NOT code EQUAL 0)
    tsb_fail("${library} cannot be used on this machine: ${error}" "${remedy}")
  elseif(NOT found STREQUAL version)
    tsb_fail("${header} is of MAGMA ${version}, but ${library} is ${found}" "${remedy}")
  endif()
  message(STATUS "MAGMA ${version}: ${library}")
  set(${out} "${version}" PARENT_SCOPE)
endfunction()
