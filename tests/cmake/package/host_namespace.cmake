# SPDX-License-Identifier: BSD-3-Clause
# A compiler cache that needs the network keeps it, and one line says so, without a password.
include("${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake")
if(CACHE)
  include("${TSB_SOURCE_DIR}/cmake/settings/z_tsb_host_namespace.cmake")
  set(TSB_NETWORK_NAMESPACE "$ENV{TSB_NETWORK_NAMESPACE}")
  set(TSB_FARM_PROCESSORS "$ENV{PROCESSORS}")
  z_tsb_host_namespace(host "${CACHE}")
  message(NOTICE "host='${host}'")
  return()
endif()

# expect_host(<ON or nothing> <cache> <part of the notice> [<NAME=value>...])
function(expect_host expected cache notice)
  execute_process(
    COMMAND env -i "PATH=$ENV{PATH}" "HOME=${TSB_TEST_DIR}/home" ${ARGN} "${CMAKE_COMMAND}"
            "-DTSB_SOURCE_DIR=${TSB_SOURCE_DIR}" "-DCACHE=${cache}" -P "${CMAKE_CURRENT_FUNCTION_LIST_FILE}"
    ERROR_VARIABLE output COMMAND_ERROR_IS_FATAL ANY
  )
  tsb_expect("${cache} with ${ARGN}" CONTAINS "${output}" "host='${expected}'" "${notice}")
  tsb_expect("${cache} with ${ARGN}" LACKS "${output}" "secret")
  if(notice STREQUAL "")
    tsb_expect("${cache} with ${ARGN}" LACKS "${output}" "needs the network")
  endif()
endfunction()

file(MAKE_DIRECTORY "${TSB_TEST_DIR}/home")
expect_host("" none "")
expect_host(ON launcher "the compile farm needs the network (TSB_FARM), so the packages' commands keep it" PROCESSORS=8)
expect_host(ON none "" TSB_NETWORK_NAMESPACE=OFF)
# The environment alone says what sccache does; its program is not asked.
set(sccache "${TSB_TEST_DIR}/bin/sccache")
expect_host("" "${sccache}" "" SCCACHE_DIR=/x SCCACHE_CACHE_SIZE=1G)
expect_host(
  ON "${sccache}" "sccache needs the network (SCCACHE_REDIS_ENDPOINT)" SCCACHE_REDIS_ENDPOINT=redis://a:secret@b
)
expect_host(ON "${sccache}" "sccache needs the network (SCCACHE_BUCKET)" SCCACHE_BUCKET=secret)
file(WRITE "${TSB_TEST_DIR}/home/.config/sccache/config" "[cache.disk]\ndir = \"/x\"\n")
expect_host("" "${sccache}" "")
file(WRITE "${TSB_TEST_DIR}/home/.config/sccache/config" "[cache.redis]\nurl = \"redis://a:secret@b\"\n")
expect_host(ON "${sccache}" "sccache needs the network (${TSB_TEST_DIR}/home/.config/sccache/config)")

find_program(ccache ccache)
if(NOT ccache)
  message("SKIP: there is no ccache")
  return()
endif()
expect_host("" "${ccache}" "" CCACHE_DIR=${TSB_TEST_DIR}/cache)
expect_host("" "${ccache}" "" CCACHE_REMOTE_STORAGE=file:${TSB_TEST_DIR}/shared)
expect_host(ON "${ccache}" "ccache needs the network (its " "CCACHE_REMOTE_STORAGE=file:/x redis://a:secret@b")
expect_host(ON "${ccache}" "ccache needs the network (its prefix_command)" CCACHE_PREFIX=distcc)
file(WRITE "${TSB_TEST_DIR}/home/.config/ccache/ccache.conf" "remote_storage = https://a:secret@b\n")
expect_host(ON "${ccache}" "ccache needs the network (its ")
