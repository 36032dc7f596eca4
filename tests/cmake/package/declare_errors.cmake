# SPDX-License-Identifier: BSD-3-Clause
# Everything that is wrong with a declaration, or with several together, is named when the superbuild is configured.
cmake_minimum_required(VERSION 3.25)
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
file(
  WRITE "${TSB_TEST_DIR}/sources.json"
  [[{"schema": 1, "sources": {"a": {"patches": [{"file": "gone.patch"}], "candidates": []}}}]]
)
file(
  WRITE "${TSB_TEST_DIR}/a project/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.25)
project(superbuild LANGUAGES NONE)
foreach(name IN ITEMS tsb_declare_package tsb_declare_feature tsb_activate_packages)
  include(\"${TSB_SOURCE_DIR}/cmake/package/\${name}.cmake\")
endforeach()
set(TSB_PINS_FILE \"${TSB_TEST_DIR}/sources.json\")
set(a a DESCRIPTION \"A\")
include(\"${TSB_TEST_DIR}/declarations.cmake\")\n"
)

# refused(<declarations> <part of the message>...): the package a is declared by ${a}.
function(refused declarations)
  file(WRITE "${TSB_TEST_DIR}/declarations.cmake" "${declarations}\n")
  tsb_run(status output "${CMAKE_COMMAND}" -S "${TSB_TEST_DIR}/a project" -B "${TSB_TEST_DIR}/a build" -G Ninja)
  tsb_expect("${declarations}" ENDS "${status}" bad)
  tsb_expect("${declarations}" CONTAINS "${output}" ${ARGN})
endfunction()

# The same for the package a with these arguments.
function(refused_package arguments)
  refused("tsb_declare_package(\${a} ${arguments})" ${ARGN})
endfunction()

refused_package([[COLOUR red]] "package a: unknown arguments: COLOUR;red")
refused(
  [[tsb_declare_package(${a})
tsb_declare_package(${a})]] "package a is declared twice; each package has one file in superbuild/"
)
refused(
  [[tsb_declare_package(A_b DESCRIPTION "A")]] "package 'A_b': a name consists of lower-case letters, digits and '-'"
)
refused([[tsb_declare_package(a SOURCE a)]] "package a: DESCRIPTION is missing")
refused_package([[OPTIONS A=1 WITH_X]] "package a: 'WITH_X' is not of the form NAME=VALUE")
refused_package([[OPTIONS =ON]] "package a: '=ON' is not of the form NAME=VALUE")
refused_package([[ENVIRONMENT PATH_OF_X]] "package a: 'PATH_OF_X' is not of the form NAME=VALUE")
refused_package([[BUILD_SYSTEM meson]] "package a: BUILD_SYSTEM is 'meson'; it must be cmake, make or none")
refused_package([[BUILD_SYSTEM none]] "package a: BUILD_SYSTEM make and none, and NO_INSTALL, need STAGE_SCRIPTS")
refused_package([[BUILD_SYSTEM make]] "package a: BUILD_SYSTEM make and none, and NO_INSTALL, need STAGE_SCRIPTS")
refused_package(
  [[INCLUDE "${TSB_PINS_FILE}" /no/such.cmake]] "package a: there is no file '/no/such.cmake'; give its whole path"
)
refused_package([[STAGE_SCRIPTS such.cmake]] "package a: there is no file 'such.cmake'; give its whole path")
refused_package([[MACHINE "{}"]] "package a: MACHINE needs BUILD_SYSTEM none")
refused_package([[HEAVY_SOURCES "[.]cu$"]] "package a: HEAVY_SOURCES needs HEAVY_MEMORY_PER_JOB_MB")
refused_package([[MEMORY_PER_JOB_MB "1 GB"]] "package a: MEMORY_PER_JOB_MB is '1 GB'; it must be a number of MB")
refused(
  [[tsb_declare_package(${a})
tsb_declare_feature(b X OPTION USE_X)]] "feature X: there is no package 'b'; declared are: a"
)
refused(
  [[tsb_declare_package(${a})
tsb_declare_feature(a X OPTION USE_X)
tsb_declare_feature(a X OPTION USE_Y)]] "feature X of a is declared twice"
)
refused(
  [[tsb_declare_package(${a})
tsb_declare_feature(a X SOURCES x)]] "feature X of a: OPTION is missing"
)
refused(
  [[tsb_declare_package(a DESCRIPTION "A")
tsb_declare_feature(a X OPTION USE_X PACKAGES b)
tsb_activate_packages(a)]] "feature X of a needs package b, on which nothing depends: add it to"
)
refused(
  [[tsb_declare_package(${a})
tsb_declare_feature(a X OPTION USE_X WHEN later)]] "feature X: unknown arguments: WHEN;later"
)
refused(
  [[tsb_declare_package(${a})
tsb_activate_packages(b)]] "there is no package 'b' there are: a"
)
refused(
  [[tsb_declare_package(${a} DEPENDS nothing)
tsb_activate_packages(a)]] "package a depends on 'nothing', which nothing in superbuild/ declares"
)
refused(
  [[tsb_declare_package(a DESCRIPTION "A" DEPENDS b)
tsb_declare_package(b DESCRIPTION "B" DEPENDS c)
tsb_declare_package(c DESCRIPTION "C" DEPENDS a)
tsb_activate_packages(a)]]
  "packages depend on each other in a circle: a -> b -> c -> a"
)
refused(
  [[tsb_declare_package(${a} SOURCE z)
tsb_activate_packages(a)]] "package a: its source 'z' has no pin in" "sources.json"
)
refused(
  [[set(TSB_PINS_FILE /no/pins.json)
tsb_declare_package(${a} SOURCE a)
tsb_activate_packages(a)]] "there are no pins /no/pins.json; TSB_PINS_FILE or the release is wrong"
)
refused(
  [[tsb_declare_package(${a} SOURCE a)
tsb_activate_packages(a)]] "source a: there is no patch" "patches/gone.patch, which" "sources.json names"
)
