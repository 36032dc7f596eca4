# SPDX-License-Identifier: BSD-3-Clause
# make_wheel(<file> <folder> <name> <version> [<more of METADATA>]): packs what the folder has, as a wheel. Sets
# `python`, and `no_venv` where that cannot make a virtual environment to install it in.
find_program(python python3 REQUIRED)
execute_process(COMMAND "${python}" -c "import ensurepip, venv" RESULT_VARIABLE no_venv OUTPUT_QUIET ERROR_QUIET)

function(make_wheel file folder name version)
  set(info ${name}-${version}.dist-info)
  file(WRITE "${folder}/${info}/METADATA" "Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${ARGN}")
  file(
    WRITE "${folder}/${info}/WHEEL" "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
  )
  file(GLOB_RECURSE files RELATIVE "${folder}" "${folder}/*")
  list(JOIN files ",,\n" record)
  file(WRITE "${folder}/${info}/RECORD" "${record},,\n${info}/RECORD,,\n")
  get_filename_component(parent "${file}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  file(GLOB names RELATIVE "${folder}" "${folder}/*")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E tar cf "${file}" --format=zip ${names} WORKING_DIRECTORY "${folder}"
                                                                                           COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()
