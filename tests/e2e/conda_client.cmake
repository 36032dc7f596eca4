# SPDX-License-Identifier: BSD-3-Clause
# A real conda client, rattler, installs the packages of e2e.all and e2e.cuda-wheels into prefixes, where a program is
# built and run with libtorch, and Python runs with pytorch. In the place of conda-forge there is a channel made of this
# machine's libraries and Python and of the stand-ins for NVIDIA's: a package for each that the others depend on, of the
# oldest version that they allow.
include(${CMAKE_CURRENT_LIST_DIR}/stand_in.cmake)
find_usable_python()
file(GLOB packages "${WORK}/all/dist/linux-64/*.conda" "${WORK}/cuda/dist/linux-64/*.conda")
list(LENGTH packages count)
if(NOT count EQUAL 4)
  message("SKIP: e2e.all and e2e.cuda-wheels have not made their packages, for want of a Python")
  return()
endif()
set(channel "${TSB_TEST_DIR}/channel")
set(toolkit "${WORK}/nvidia/toolkit/lib64")
set(root "${TSB_TEST_DIR}/root")
set(tools "${WORK}/python-tools")
include("${TSB_SOURCE_DIR}/cmake/python/tsb_python_command.cmake")
tsb_python_command(pack_conda "${python}" "${TSB_SOURCE_DIR}/packaging/conda/pack_conda.py" MODULES "${tools}")

# pack(<name> <version> <build>): what is in <root>, into the channel.
function(pack name version build)
  file(
    WRITE "${root}/info/index.json"
    "{\"name\": \"${name}\", \"version\": \"${version}\", \"build\": \"${build}\", \"build_number\": 0,
\"subdir\": \"linux-64\", \"depends\": []}\n"
  )
  execute_process(COMMAND ${pack_conda} --root "${root}" --output "${channel}" COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE "${root}")
endfunction()

# add_package(<name> <version> <library or pattern>...): with these in lib/.
function(add_package name version)
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
  pack(${name} ${version} 0)
endfunction()

# add_python(<version>): this machine's, which takes the prefix for a virtual environment.
function(add_python version)
  execute_process(
    COMMAND "${python}" -c "import sys; print(sys._base_executable)" OUTPUT_VARIABLE base
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY
  )
  get_filename_component(home "${base}" DIRECTORY)
  file(WRITE "${root}/pyvenv.cfg" "home = ${home}\ninclude-system-site-packages = false\n")
  file(REAL_PATH "${base}" base)
  file(MAKE_DIRECTORY "${root}/bin")
  file(COPY_FILE "${base}" "${root}/bin/python")
  pack(python ${version} 0_cpython)
endfunction()

# machine_library(<out-var> <SONAME>): where the compiler's programs find it.
function(machine_library out soname)
  execute_process(
    COMMAND cc "-print-file-name=${soname}" OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE
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
set(nccl "${WORK}/nvidia/nccl/libnccl.so.2")
set(setuptools "")
set(triton "")

file(GLOB indexes "${WORK}/*/build/*/stage/conda-*/prefix/info/index.json")
set(known libtorch) # which is in the folder of each package
foreach(index IN LISTS indexes)
  file(READ "${index}" index)
  string(JSON count LENGTH "${index}" depends)
  math(EXPR last "${count} - 1")
  foreach(at RANGE ${last})
    string(JSON spec GET "${index}" depends ${at})
    string(REGEX MATCH "^([^ ]+) ?[>=]*([0-9.]*[0-9])?" ignored "${spec}")
    set(name "${CMAKE_MATCH_1}")
    set(version "${CMAKE_MATCH_2}")
    if(name MATCHES "^__" OR name IN_LIST known)
      continue()
    endif()
    list(APPEND known ${name})
    if(name STREQUAL "python")
      add_python(${version})
    elseif(name STREQUAL "python_abi")
      pack(python_abi ${version} 0_cp${tag})
    elseif(NOT DEFINED ${name})
      message(FATAL_ERROR "no stand-in is known for ${spec}")
    elseif(version STREQUAL "")
      add_package(${name} 1.0 ${${name}})
    else()
      add_package(${name} ${version} ${${name}})
    endif()
  endforeach()
endforeach()
tsb_python_command(index_channel "${python}" "${TSB_SOURCE_DIR}/packaging/conda/index_channel.py" MODULES "${tools}")
execute_process(COMMAND ${index_channel} "${channel}" COMMAND_ERROR_IS_FATAL ANY)

tsb_python_command(run_consumer "${python}" "${TSB_SOURCE_DIR}/packaging/run_consumer.py")
set(consumer "${TSB_TEST_DIR}/consumer")
file(
  COPY "${TSB_SOURCE_DIR}/packaging/consumer/conda/CMakeLists.txt"
       "${TSB_SOURCE_DIR}/tests/fixtures/consumer-stand-in/conda/main.cpp" DESTINATION "${consumer}/conda"
)
file(COPY "${TSB_SOURCE_DIR}/tests/fixtures/consumer-stand-in/wheel_checks.py" DESTINATION "${consumer}")
foreach(package IN LISTS packages)
  set(driver "")
  if(package MATCHES "-cuda124_")
    set(driver __cuda=12.4)
  endif()
  execute_process(
    COMMAND
      "${CMAKE_COMMAND}" -E env "TSB_CONDA_CHANNEL=file://${channel}" ${run_consumer} "${TSB_TEST_DIR}/work"
      "${CMAKE_COMMAND}" "-DTSB_PACKAGE=${package}" "-DTSB_CONSUMER=${consumer}" "-DTSB_DRIVER=${driver}"
      "-DTSB_TOOLS=${tools}" "-DTSB_TOOLS_PYTHON=${python}"
    RESULT_VARIABLE status
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
  )
  get_filename_component(name "${package}" NAME)
  tsb_expect("the check of ${name}: ${output}" EQUAL "${status}" 0)
  tsb_expect("the check of ${name}" CONTAINS "${output}" "ok ${name} works")
endforeach()

# From a channel with both, who has a driver gets CUDA's, who has none the CPU's.
set(both "${TSB_TEST_DIR}/both")
foreach(package IN LISTS packages)
  get_filename_component(name "${package}" NAME)
  file(MAKE_DIRECTORY "${both}/linux-64")
  file(CREATE_LINK "${package}" "${both}/linux-64/${name}")
endforeach()
execute_process(COMMAND ${index_channel} "${both}" COMMAND_ERROR_IS_FATAL ANY)
tsb_python_command(
  install "${python}" "${TSB_SOURCE_DIR}/packaging/consumer_check/install_packages.py" MODULES "${tools}"
)
foreach(driver IN ITEMS "" 12.4)
  set(wanted pytorch-${pytorch}-cpu_)
  if(driver)
    set(wanted pytorch-${pytorch}-cuda124_)
  endif()
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "CONDA_OVERRIDE_CUDA=${driver}" "TSB_CONDA_CHANNEL=file://${channel}" ${install}
            --prefix "${TSB_TEST_DIR}/prefix${driver}" --channel "file://${both}" pytorch
    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
  )
  tsb_expect("what a machine with the driver '${driver}' gets" CONTAINS "${output}" "${wanted}")
endforeach()
