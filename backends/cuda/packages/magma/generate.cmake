# SPDX-License-Identifier: BSD-3-Clause
# Makes what upstream's tarball has and a commit lacks: the sources for the precisions s, d and c, and CMake.src.cuda,
# the list of sources that CMakeLists.txt includes. Upstream's release script runs `make generate` for it
# (tools/MakeMagmaRelease.pl), which starts Python once per file and precision: minutes. Here one Python makes them all
# first, and `make generate` finds them and writes the list.
cmake_minimum_required(VERSION 3.25)
if(EXISTS "${TSB_SOURCE_DIR}/CMake.src.cuda")
  return()
endif()
# The generator writes the time into each file, headers among them: a package would differ each time.
set(generator "${TSB_SOURCE_DIR}/tools/codegen.py")
file(READ "${generator}" text)
string(REPLACE "datetime.now().ctime()" "''" text "${text}")
file(WRITE "${generator}" "${text}")
set(folders src magmablas control include interface_cuda sparse testing)
execute_process(
  COMMAND grep --recursive --files-with-matches "@precisions" ${folders} WORKING_DIRECTORY "${TSB_SOURCE_DIR}"
  OUTPUT_VARIABLE templates COMMAND_ERROR_IS_FATAL ANY
)
string(REGEX MATCHALL "[^\n]+" templates "${templates}")
file(WRITE "${TSB_SOURCE_DIR}/make.inc" "BACKEND = cuda\nFORT = false\nGPU_TARGET = sm_90\n") # any that it knows
execute_process(
  COMMAND "${TSB_PYTHON}" -E -s "${generator}" ${templates} WORKING_DIRECTORY "${TSB_SOURCE_DIR}"
                                                                              COMMAND_ERROR_IS_FATAL ANY
)
execute_process(COMMAND make generate WORKING_DIRECTORY "${TSB_SOURCE_DIR}" COMMAND_ERROR_IS_FATAL ANY)
