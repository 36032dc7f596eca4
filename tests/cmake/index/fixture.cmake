# SPDX-License-Identifier: BSD-3-Clause
# A folder of artifacts, and make_index.py on it. Sets dist and python.
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
find_program(python python3 REQUIRED)
set(dist "${TSB_TEST_DIR}/a dist")
file(MAKE_DIRECTORY "${dist}")

# tar(<file> <format option> <folder>): packs all that the folder has.
function(tar file format folder)
  file(GLOB names RELATIVE "${folder}" "${folder}/*")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E tar cf "${file}" ${format} ${names} WORKING_DIRECTORY "${folder}"
                                                                                        COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()

# stored_zip(<file> <folder>): packs all that the folder has, as conda packages ask: without compression.
function(stored_zip file folder)
  file(GLOB_RECURSE names RELATIVE "${folder}" "${folder}/*")
  execute_process(
    COMMAND
      "${python}" -c "import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for name in sys.argv[2:]: archive.write(name)" "${file}" ${names}
    WORKING_DIRECTORY "${folder}" COMMAND_ERROR_IS_FATAL ANY
  )
endfunction()

# add_wheel(<name> <version> <file name>)
function(add_wheel name version file)
  set(folder "${TSB_TEST_DIR}/wheels/${name}-${version}")
  set(info "${folder}/${name}-${version}.dist-info")
  set(metadata "Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\nRequires-Python: >=3.8,<4\n\ntext\n")
  file(WRITE "${info}/METADATA" "${metadata}")
  file(WRITE "${info}/WHEEL" "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
  file(WRITE "${info}/RECORD" "")
  file(WRITE "${folder}/${name}.py" "answer = 42\n")
  tar("${dist}/${file}" --format=zip "${folder}")
endfunction()

# add_conda(<file below dist> <info/index.json>): made of TSB_TEST_DIR/conda/package.
function(add_conda file index)
  set(folder "${TSB_TEST_DIR}/conda")
  file(REMOVE_RECURSE "${folder}")
  file(WRITE "${folder}/info/info/index.json" "${index}")
  file(WRITE "${folder}/package/metadata.json" "{\"conda_pkg_format_version\": 2}")
  tar("${folder}/package/info-demo-1.0-h0_0.tar.zst" --zstd "${folder}/info")
  file(WRITE "${folder}/package/pkg-demo-1.0-h0_0.tar.zst" "files")
  get_filename_component(parent "${dist}/${file}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  stored_zip("${dist}/${file}" "${folder}/package")
endfunction()

# make_index(<status>): sets output.
function(make_index expected)
  tsb_run(status output "${python}" "${TSB_SOURCE_DIR}/packaging/index/make_index.py" "${dist}")
  tsb_expect("make_index.py's exit code" EQUAL "${status}" ${expected})
  set(output "${output}" PARENT_SCOPE)
endfunction()

# expect_json(<file below dist> <value> <member>...)
function(expect_json file value)
  file(READ "${dist}/${file}" json)
  string(JSON actual GET "${json}" ${ARGN})
  tsb_expect("${ARGN} in ${file}" EQUAL "${actual}" "${value}")
endfunction()
