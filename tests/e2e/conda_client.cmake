# SPDX-License-Identifier: BSD-3-Clause
# A real conda client, rattler, installs the packages libtorch of e2e.conda and e2e.cuda-wheels into prefixes, where a program
# is built and run. In the place of conda-forge there is a channel made of the libraries of this machine and of the stand-ins
# for NVIDIA's: a package for each that the two depend on, of the oldest version that they allow.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
set(channel "${TSB_TEST_DIR}/channel")
set(toolkit "${WORK}/nvidia/toolkit/lib64")
set(nccl "${WORK}/cuda/build/cu124-libtorch-shared/packages/nccl/install/lib")

# add_package(<name> <version> <library or pattern>...): into the channel.
function(add_package name version)
  set(root "${TSB_TEST_DIR}/root")
  file(REMOVE_RECURSE "${root}")
  file(
    WRITE "${root}/info/index.json"
    "{\"name\": \"${name}\", \"version\": \"${version}\", \"build\": \"0\", \"build_number\": 0, \"subdir\": \"linux-64\",
\"depends\": []}\n"
  )
  file(GLOB libraries ${ARGN})
  foreach(library IN LISTS libraries)
    file(REAL_PATH "${library}" file)
    get_filename_component(soname "${library}" NAME)
    file(MAKE_DIRECTORY "${root}/lib")
    file(COPY_FILE "${file}" "${root}/lib/${soname}")
  endforeach()
  if(ARGN AND NOT libraries)
    message(FATAL_ERROR "there is nothing of ${name} in ${ARGN}")
  endif()
  execute_process(
    COMMAND "${TORCHPKG}" pack conda --root "${root}" --output "${channel}" --level 1 --quiet
    COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()

# machine_library(<out-var> <SONAME>): where the compiler's programs find it.
function(machine_library out soname)
  execute_process(
    COMMAND cc "-print-file-name=${soname}"
    OUTPUT_VARIABLE file
    OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY
  )
  set(${out} "${file}" PARENT_SCOPE)
endfunction()
machine_library(libgcc libgcc_s.so.1)
machine_library(libstdcxx libstdc++.so.6)
machine_library(_openmp_mutex libgomp.so.1)
set(cuda-cudart "${toolkit}/libcudart.so.12")
set(cuda-cupti "${toolkit}/libcupti.so.12")
set(cuda-nvrtc "${toolkit}/libnvrtc.so.12" "${toolkit}/libnvrtc-builtins.so.12.4")
set(cuda-version "")
set(cudnn "${WORK}/nvidia/cudnn/lib/libcudnn*.so.9")
set(cusparselt "${WORK}/nvidia/cusparselt/lib/libcusparseLt.so.0")
set(libcublas "${toolkit}/libcublas.so.12" "${toolkit}/libcublasLt.so.12")
set(libcufft "${toolkit}/libcufft.so.11")
set(libcurand "${toolkit}/libcurand.so.10")
set(libcusolver "${toolkit}/libcusolver.so.11" "${toolkit}/libnvJitLink.so.12")
set(libcusparse "${toolkit}/libcusparse.so.12")
set(nccl "${nccl}/libnccl.so.2")

file(GLOB cpu "${WORK}/wheel/dist/linux-64/libtorch-*.conda")
file(GLOB cuda "${WORK}/cuda/dist/linux-64/libtorch-*.conda")
foreach(package IN ITEMS "${cpu}" "${cuda}")
  if(package STREQUAL "")
    message("SKIP: e2e.conda and e2e.cuda-wheels have made no packages, for want of a Python")
    return()
  endif()
endforeach()
set(known "")
foreach(preset IN ITEMS wheel/build/cpu-conda-py* cuda/build/cu124-conda-py*)
  file(GLOB index "${WORK}/${preset}/stage/conda-libtorch/prefix/info/index.json")
  file(READ "${index}" index)
  string(JSON count LENGTH "${index}" depends)
  math(EXPR last "${count} - 1")
  foreach(at RANGE ${last})
    string(JSON spec GET "${index}" depends ${at})
    if(NOT spec MATCHES "^([^ ]+) >=([^,]+)")
      message(FATAL_ERROR "depends has no lower bound: ${spec}")
    endif()
    set(name "${CMAKE_MATCH_1}")
    set(version "${CMAKE_MATCH_2}")
    if(name MATCHES "^__" OR name IN_LIST known)
      continue()
    elseif(NOT DEFINED ${name})
      message(FATAL_ERROR "no stand-in is known for ${spec}")
    endif()
    list(APPEND known ${name})
    add_package(${name} ${version} ${${name}})
  endforeach()
endforeach()
execute_process(COMMAND "${TORCHPKG}" index "${channel}" COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)

set(consumer "${TSB_TEST_DIR}/consumer")
file(
  COPY
    "${TSB_SOURCE_DIR}/tests/consumer/conda/CMakeLists.txt"
    "${TSB_SOURCE_DIR}/tests/fixtures/consumer-stand-in/conda/main.cpp"
  DESTINATION "${consumer}/conda"
)
foreach(package IN ITEMS "${cpu}" "${cuda}")
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -E env "TSB_CONDA_CHANNEL=file://${channel}" "${CMAKE_COMMAND}" "-DTSB_PACKAGE=${package}"
      "-DTSB_CONSUMER=${consumer}" "-DTSB_WORK=${TSB_TEST_DIR}/work" "-DTSB_TORCHPKG=${TORCHPKG}" -P
      "${TSB_SOURCE_DIR}/packaging/conda/consumer_check.cmake"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  if(output MATCHES "pip could not install py-rattler")
    message("SKIP: pip cannot install py-rattler, the conda client")
    return()
  endif()
  get_filename_component(name "${package}" NAME)
  tsb_expect("the check of ${name}: ${output}" EQUAL "${status}" 0)
  tsb_expect("the check of ${name}" CONTAINS "${output}" "ok ${name} works in a prefix")
endforeach()
message("${output}")
