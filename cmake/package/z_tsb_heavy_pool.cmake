# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)

# z_tsb_heavy_pool(<package json>)
#
# Puts the compiles of the package's HEAVY_SOURCES into the Ninja pool "heavy". CMake 3.25 knows job pools of whole targets
# only, so build.ninja is completed after configure.
# A CMake that Ninja starts by itself later would lose that, but the framework decides when CMake runs.
# Errors: no source matches.
function(z_tsb_heavy_pool package)
  z_tsb_json_get(pattern "${package}" heavy_sources)
  if(NOT pattern)
    return()
  endif()
  z_tsb_json_get(name "${package}" name)
  set(file "${TSB_PACKAGE_DIR}/build/build.ninja")
  # Some projects' CMake leaves files that are newer than what it has generated; Ninja would run it again.
  z_tsb_json_get(build_folder "${package}" build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_get(ninja "${settings}" ninja)
  z_tsb_run("${package}" configure LOG configure-again COMMAND "${ninja}" -C "${TSB_PACKAGE_DIR}/build" build.ninja)
  # One pass by awk: the file has some 100,000 lines.
  execute_process(
    COMMAND
      awk -v "pattern=${pattern}"
      "{ print } /^build [^ ]*[.]o: / && $0 ~ pattern { print \"  pool = heavy\"; count++ } END { if (!count) exit 3 }"
      "${file}"
    OUTPUT_FILE "${file}.new"
    RESULT_VARIABLE code
    ERROR_VARIABLE error
  )
  if(NOT code EQUAL 0)
    file(REMOVE "${file}.new")
    tsb_fail(
      "package ${name}: no compile matches HEAVY_SOURCES ${pattern} ${error}"
      "correct it in superbuild/${name}.cmake"
    )
  endif()
  file(RENAME "${file}.new" "${file}")
endfunction()
