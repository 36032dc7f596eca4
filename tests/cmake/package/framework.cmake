# SPDX-License-Identifier: BSD-3-Clause
# What the framework adds to every package is an input: a change of it builds again and is named. A comment counts in
# the scripts of the phases alone. On a copy of the framework.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
file(COPY "${TSB_SOURCE_DIR}/packaging" "${TSB_SOURCE_DIR}/cmake" DESTINATION "${box}/tree" PATTERN torchpkg EXCLUDE)
set(TSB_SOURCE_DIR "${box}/tree")
set(values "${TSB_SOURCE_DIR}/cmake/package/z_tsb_framework.cmake")
set(isolation "${TSB_SOURCE_DIR}/cmake/isolation/tsb_isolate_package.cmake")

# edit(<file> <text> <other text>)
function(edit file before after)
  file(READ "${file}" text)
  string(FIND "${text}" "${before}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "${file} does not hold '${before}'")
  endif()
  string(REPLACE "${before}" "${after}" text "${text}")
  file(WRITE "${file}" "${text}")
endfunction()

function(expect_cache what expected)
  file(STRINGS "${build}/packages/a/build/CMakeCache.txt" line REGEX "^CMAKE_SKIP_RPATH:")
  string(REGEX REPLACE "^[^=]*=" "" value "${line}")
  tsb_expect("what the package got, ${what}" EQUAL "${value}" "${expected}")
endfunction()

write_trees()
file(
  APPEND "${box}/trees/a/CMakeLists.txt"
  "file(WRITE \"\${CMAKE_BINARY_DIR}/environment.txt\" \"\$ENV{LANG} \$ENV{SOURCE_DATE_EPOCH}\")\n"
)
add_source(a 1.0)
declare("${declaration_of_a})" a)
set(all a-configure a-build a-stage)
set(ENV{SOURCE_DATE_EPOCH} 1)
configure()
make(good a)
expect_ran("the first time" ${all})
expect_cache("the first time" ON)
tsb_expect_file("environment, not the caller's" EQUAL "${build}/packages/a/build/environment.txt" "C.UTF-8 315532800")

# No folder of this machine is among the inputs.
recorded_inputs(inputs a stage)
tsb_expect("the inputs" LACKS "${inputs}" "${TSB_TEST_DIR}")

# Comments, layout and messages where values stand or nothing is decided.
edit("${values}" "# So that no path" "# Lest a path")
edit("${values}" "set(\n  TSB_FRAMEWORK_OPTIONS" "set( TSB_FRAMEWORK_OPTIONS")
edit("${TSB_SOURCE_DIR}/cmake/package/run_phases.cmake" "counts any more" "is worth anything")
explain("a: up to date")
make(good a)
expect_ran("another comment")

# An option.
edit("${values}" "CMAKE_SKIP_RPATH=ON" "CMAKE_SKIP_RPATH=OFF")
explain(
  "a: would run from phase configure on: framework option CMAKE_SKIP_RPATH: was: ON framework option CMAKE_SKIP_RPATH: now: OFF"
)
make(good a)
expect_ran("another option" ${all})
expect_cache("another option" OFF)

# A compiler option, and what isolation does.
edit("${values}" "=/usr/src/torch-superbuild" "=/usr/src/elsewhere")
explain(
  "framework compile option -ffile-prefix-map: was: @PACKAGES_DIR@=/usr/src/torch-superbuild"
  "framework compile option -ffile-prefix-map: now: @PACKAGES_DIR@=/usr/src/elsewhere"
)
make(good a)
expect_ran("another compiler option" ${all})
execute_process(
  COMMAND grep -c /usr/src/elsewhere/a/source/a.c "${build}/packages/a/install/lib/liba.a" RESULT_VARIABLE code
  OUTPUT_QUIET
)
tsb_expect("the mapped path in the library" EQUAL ${code} 0)
edit("${isolation}" "include_guard(GLOBAL)" "include_guard(GLOBAL)\nset(more TRUE)")
explain(
  "script of configure cmake/isolation/tsb_isolate_package.cmake: was:"
  "script of configure cmake/isolation/tsb_isolate_package.cmake: now:"
)
make(good a)
expect_ran("another rule" ${all})
