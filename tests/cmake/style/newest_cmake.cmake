# SPDX-License-Identifier: BSD-3-Clause
# The newest CMake has nothing to warn of where users see it: while the real CMakeLists.txt configures everything.
# It takes nothing for granted either: return(PROPAGATE) does nothing where no policy is set. Scripts of tests have the
# policies of run_script_test.cmake.
include(${CMAKE_CURRENT_LIST_DIR}/files_of_project.cmake)
files_of_project(files "\\.cmake$")
list(FILTER files EXCLUDE REGEX "^tests/")
foreach(file IN LISTS files)
  file(STRINGS "${TSB_SOURCE_DIR}/${file}" policy REGEX "^( *return\\(PROPAGATE|cmake_(minimum_required|policy)\\()")
  if("${policy}" MATCHES "PROPAGATE" AND NOT "${policy}" MATCHES "cmake_")
    message(
      FATAL_ERROR
        "${file} has return(PROPAGATE): it begins with cmake_minimum_required(VERSION 3.25), or returns nothing"
    )
  endif()
endforeach()
include(${CMAKE_CURRENT_LIST_DIR}/style_tool.cmake)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/model/tsb_load_model.cmake)
style_tool(cmake cmake)
tsb_load_model(--backend=cpu)
tsb_run(
  status output ${CMAKE_COMMAND} -E env --unset=TSB_TORCHPKG TSB_PYTHONS=none TSB_DOCTOR_SKIP=disk,memory ${cmake} -S
  ${TSB_SOURCE_DIR} -B ${TSB_TEST_DIR}/build -G Ninja -DTSB_PRESET=cpu-all -DTSB_BACKEND=cpu -DTSB_ARTIFACTS=all
  -DTSB_PYTORCH_VERSION=${release_folder}
)
tsb_expect("status" EQUAL "${status}" 0)
tsb_expect("warnings" LACKS "${output}" "CMake Warning")
tsb_expect("deprecations" LACKS "${output}" "CMake Deprecation")
