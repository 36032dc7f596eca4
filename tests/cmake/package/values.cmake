# SPDX-License-Identifier: BSD-3-Clause
# Values reach the package's CMake as they were declared; the caller's environment does not.
include("${CMAKE_CURRENT_LIST_DIR}/fixture.cmake")
write_trees()
add_source(a 1.0)
file(
  APPEND "${box}/trees/a/CMakeLists.txt"
  [[
execute_process(COMMAND env OUTPUT_FILE "${CMAKE_BINARY_DIR}/environment.txt")
file(WRITE "${CMAKE_BINARY_DIR}/places.txt" "${PLACE}${FROM}")
execute_process(
  COMMAND git rev-parse --git-dir WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET
)
file(WRITE "${CMAKE_BINARY_DIR}/git.txt" "${status}")
add_subdirectory(below)
]]
)
file(WRITE "${box}/trees/a/below/CMakeLists.txt" "project(below LANGUAGES NONE)\n")
add_source(a 1.0)
file(WRITE "${box}/first.cmake" "file(APPEND \"\${CMAKE_BINARY_DIR}/included.txt\" \"first \${PROJECT_NAME};\")\n")
file(WRITE "${box}/second.cmake" "file(APPEND \"\${CMAKE_BINARY_DIR}/included.txt\" \"\${TSB_INPUTS}\")\n")
file(WRITE "${box}/list.txt" "")
declare(
  "${declaration_of_a} OPTIONS [=[TEXT=one;two \"three\" \$HOME 'x=y']=] EXTRA= FROM=[@COMMIT@] PLACE=@INSTALL_DIR@:@SOURCE_DIR@:@BUILD_DIR@:@PREFIX_a@
  ENVIRONMENT [=[WORD=a;b \"c\" \$d]=] INCLUDE \"${box}/first.cmake\" \"${box}/second.cmake\" INPUTS \"${box}/list.txt\")"
  a
)
# What a developer's shell has.
foreach(
  variable IN
  ITEMS CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH LD_RUN_PATH PKG_CONFIG_PATH
        CMAKE_PREFIX_PATH CONDA_PREFIX CFLAGS CXXFLAGS LDFLAGS PYTHONPATH CMAKE_C_FLAGS MAKEFLAGS a_ROOT a_DIR
)
  set(ENV{${variable}} "/nowhere")
endforeach()
set(ENV{CCACHE_DIR} "${box}/ccache")
set(ENV{SCCACHE_DIR} "${box}/sccache")
set(ENV{SCCACHE_REDIS_PASSWORD} "s3cret")
set(ENV{CCACHE_SLOPPINESS} "time_macros; locale")
set(ENV{CCACHE_COMPILER} "/nowhere/gcc")
set(ENV{CCACHE_COMPILERCHECK} none)
set(ENV{SOURCE_DATE_EPOCH} 1)
execute_process(COMMAND git init -q "${box}" COMMAND_ERROR_IS_FATAL ANY)
configure()
make(good a-configure)
set(folder "${build}/packages/a")
tsb_expect_file("values" EQUAL "${folder}/build/configured.txt" "[one;two \"three\" $HOME 'x=y'][a;b \"c\" $d][]")
tsb_expect_file(
  "places" EQUAL "${folder}/build/places.txt"
  "${folder}/install:${folder}/source:${folder}/build:${folder}/install[c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff]"
)
tsb_expect_file("what was included" EQUAL "${folder}/build/included.txt" "first a;${box}/list.txt")
file(READ "${folder}/build/environment.txt" text)
tsb_expect("environment" LACKS "${text}" "/nowhere")
tsb_expect(
  "environment" CONTAINS "${text}" "CCACHE_DIR=${box}/ccache" "SCCACHE_DIR=${box}/sccache" "LANG=C.UTF-8"
  "SOURCE_DATE_EPOCH=315532800" "SCCACHE_REDIS_PASSWORD=s3cret" "CCACHE_SLOPPINESS=$ENV{CCACHE_SLOPPINESS}"
  "CCACHE_COMPILER=\n" "CCACHE_COMPILERCHECK=string:"
)
tsb_expect_file("a password in the log" LACKS "${folder}/log/configure.log" "s3cret")
tsb_expect_file("git, asked for a checkout around the build folder" EQUAL "${folder}/build/git.txt" 128)
