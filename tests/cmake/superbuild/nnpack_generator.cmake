# SPDX-License-Identifier: BSD-3-Clause
# What NNPACK's assembly is generated with: six and PeachPy in one folder, from which it runs; a PeachPy whose
# instructions are not generated is refused. With the patch of the real pins an object is the same whatever folder its
# source is in.
include("${TSB_SOURCE_DIR}/tests/fixtures/release.cmake")
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
find_program(python python3 REQUIRED)
set(fixtures "${TSB_SOURCE_DIR}/tests/fixtures")
set(tree "${TSB_TEST_DIR}/with blank/source")
set(install "${TSB_TEST_DIR}/with blank/install")
file(COPY "${fixtures}/peachpy-stand-in/" DESTINATION "${tree}")
file(COPY "${fixtures}/six-stand-in/" DESTINATION "${tree}/six")
function(copy_modules)
  file(REMOVE_RECURSE "${install}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" "-DTSB_SOURCE_DIR=${tree}" "-DTSB_INSTALL_DIR=${install}" -P
            "${TSB_SOURCE_DIR}/superbuild/nnpack-generator/copy_modules.cmake" RESULT_VARIABLE status
    ERROR_VARIABLE text
  )
  set(status "${status}" PARENT_SCOPE)
  string(REGEX REPLACE "[ \n]+" " " text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()
# assemble(<out-var of the object's hash> <folder of the source>)
function(assemble out folder)
  file(COPY "${fixtures}/nnpack-stand-in/src/x86_64-fma/multiply-add.py" DESTINATION "${folder}")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${install}" "${python}" -B -m peachpy.x86_64 -o "${folder}/object"
            "${folder}/multiply-add.py" COMMAND_ERROR_IS_FATAL ANY
  )
  file(SHA256 "${folder}/object" hash)
  set(${out} "${hash}" PARENT_SCOPE)
endfunction()

copy_modules()
tsb_expect("exit code" EQUAL "${status}" 0)
tsb_expect("six" EXISTS "${install}/six.py")
tsb_expect("PeachPy's tests" ABSENT "${install}/test")
cmake_host_system_information(RESULT machine QUERY OS_PLATFORM)
if(machine STREQUAL "x86_64")
  assemble(one "${TSB_TEST_DIR}/one")
  assemble(two "${TSB_TEST_DIR}/two")
  if(one STREQUAL two)
    message(FATAL_ERROR "without the patch the folder is not in the object: this test shows nothing")
  endif()
  execute_process(
    COMMAND patch -p1 -F0 -s -i "${TSB_SOURCE_DIR}/releases/${pytorch}/patches/peachpy-source-name.patch"
    WORKING_DIRECTORY "${tree}" COMMAND_ERROR_IS_FATAL ANY
  )
  copy_modules()
  assemble(one "${TSB_TEST_DIR}/one")
  assemble(two "${TSB_TEST_DIR}/two")
  tsb_expect("the object of another folder" EQUAL "${two}" "${one}")
endif()

file(REMOVE "${tree}/peachpy/x86_64/avx.py")
copy_modules()
if(status EQUAL 0)
  message(FATAL_ERROR "a PeachPy without instructions was taken")
endif()
tsb_expect("the message" CONTAINS "${text}" "has no peachpy/x86_64/avx.py: its instructions are not generated.")
tsb_expect("the message" CONTAINS "${text}" "run 'python setup.py generate'")
