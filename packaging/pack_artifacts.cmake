# SPDX-License-Identifier: BSD-3-Clause
# Run by CPack's External generator: packs every staged tree and writes the statements. In a script of its own, since
# CPack prints the call stack of an error.
execute_process(
  COMMAND
    "${CPACK_TSB_BUILD_FOLDER}/run" "${CMAKE_COMMAND}" "-DTSB_BUILD_FOLDER=${CPACK_TSB_BUILD_FOLDER}"
    "-DTSB_ARTIFACTS=${CPACK_TSB_ARTIFACTS}" "-DTSB_RUN=pack;statement" -P "${CMAKE_CURRENT_LIST_DIR}/run_steps.cmake"
  RESULT_VARIABLE result
)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "  packing failed: see the message above")
endif()
set(check "cmake --build \"${CPACK_TSB_BUILD_FOLDER}\" --target check")
message(STATUS "packed in ${CPACK_TSB_BUILD_FOLDER}/packed; into dist: ${check}, which tries it first")
