# SPDX-License-Identifier: BSD-3-Clause
# Installs NCCL's headers, the static and the shared library, and compares the version that the header says with the
# one in each library: a header of another NCCL gives "undefined symbol: ncclCommRegister" when the library is loaded.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/../../../../cmake/detail/tsb_fail.cmake)

# Both versions are texts such as 2.21.5. The library's stands in the line that it prints when it starts, such as
# "NCCL version 2.21.5+cuda12.4".
function(check_version header library)
  foreach(part IN ITEMS MAJOR MINOR PATCH)
    file(STRINGS "${header}" line REGEX "^#define NCCL_${part} [0-9]+" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+$" ${part} "${line}")
  endforeach()
  set(version "${MAJOR}.${MINOR}.${PATCH}")
  # grep: the libraries have hundreds of MB.
  execute_process(COMMAND grep -aoE -m 1 "NCCL version [0-9.]+[+]cuda" "${library}" OUTPUT_VARIABLE line)
  string(REGEX MATCH "NCCL version ([0-9.]+)\\+cuda" ignored "${line}")
  set(found "${CMAKE_MATCH_1}")
  if(found STREQUAL "")
    set(found "without a version")
  endif()
  if(NOT found STREQUAL version)
    tsb_fail(
      "${header} is of NCCL ${version}, but ${library} is ${found}"
      "build package nccl in an empty folder: remove packages/nccl of the build folder"
    )
  endif()
  message(STATUS "NCCL ${version}: ${library}")
endfunction()

file(GLOB libraries "${TSB_BUILD_DIR}/lib/libnccl.so*" "${TSB_BUILD_DIR}/lib/libnccl_static.a")
file(COPY ${libraries} DESTINATION "${TSB_INSTALL_DIR}/lib")
file(COPY "${TSB_BUILD_DIR}/include" DESTINATION "${TSB_INSTALL_DIR}")
foreach(library IN ITEMS libnccl.so libnccl_static.a)
  if(NOT EXISTS "${TSB_INSTALL_DIR}/lib/${library}")
    tsb_fail("${TSB_BUILD_DIR}/lib has no ${library}" "look into log/build.log of package nccl")
  endif()
  check_version("${TSB_INSTALL_DIR}/include/nccl.h" "${TSB_INSTALL_DIR}/lib/${library}")
endforeach()

# The linker does not mind a kernel that was not compiled for any architecture of the list; who loads the library would.
execute_process(COMMAND ldd -r "${TSB_INSTALL_DIR}/lib/libnccl.so" OUTPUT_VARIABLE missing ERROR_VARIABLE missing)
string(REGEX MATCHALL "undefined symbol: [^\t\n ]+" missing "${missing}")
if(missing)
  list(SUBLIST missing 0 3 missing)
  list(JOIN missing ", " missing)
  tsb_fail(
    "libnccl.so cannot be loaded: ${missing}"
    "report this: NCCL's makefile leaves out what its host code names, for the architectures of the preset"
  )
endif()
