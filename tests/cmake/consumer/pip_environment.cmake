# SPDX-License-Identifier: BSD-3-Clause
# What the pip of a check has of its caller; no value is a word of a command line. (consumer.wheel: a real pip finds a
# wheel by the caller's configuration file alone.)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include("${TSB_SOURCE_DIR}/packaging/consumer_check/steps.cmake")
set(home "${TSB_TEST_DIR}/my home")
execute_process(COMMAND env OUTPUT_VARIABLE all)
string(REGEX MATCHALL "PIP_[A-Z0-9_]+=" names "${all}")
foreach(name IN LISTS names ITEMS XDG_CONFIG_HOME= XDG_CACHE_HOME=)
  string(REPLACE "=" "" name "${name}")
  unset(ENV{${name}})
endforeach()
set(ENV{HOME} "${home}")

# expect_has(<variable> <value, or nothing>)
function(expect_has variable value)
  set(config "$ENV{PIP_CONFIG_FILE}")
  set(cache "$ENV{PIP_CACHE_DIR}")
  z_tsb_pip_environment()
  tsb_expect("${variable}" EQUAL "$ENV{${variable}}" "${value}")
  set(ENV{PIP_CONFIG_FILE} "${config}")
  set(ENV{PIP_CACHE_DIR} "${cache}")
endfunction()
expect_has(PIP_CONFIG_FILE "")
expect_has(PIP_CACHE_DIR "${home}/.cache/pip")
file(WRITE "${home}/.pip/pip.conf" "[global]\nno-index = true\n")
expect_has(PIP_CONFIG_FILE "${home}/.pip/pip.conf")
file(WRITE "${home}/.config/pip/pip.conf" "[global]\nno-index = true\n")
expect_has(PIP_CONFIG_FILE "${home}/.config/pip/pip.conf")

set(ENV{PIP_TARGET} "${TSB_TEST_DIR}/elsewhere")
expect_has(PIP_TARGET "")

set(TSB_WORK "${TSB_TEST_DIR}/work")
set(package_name demo)
set(words "user:secret [a;true\n]b;c=d")
set(ENV{PIP_EXTRA_INDEX_URL} "${words}")
set(ENV{PIPX_HOME} "/nowhere")
set(ENV{LD_LIBRARY_PATH} "/nowhere")
file(
  WRITE "${TSB_TEST_DIR}/bin/env"
  "#!/bin/sh\nprintf '%s\\n' \"$@\" >>'${TSB_TEST_DIR}/words'\nPATH=${system_path} exec env \"$@\"\n"
)
file(CHMOD "${TSB_TEST_DIR}/bin/env" PERMISSIONS OWNER_READ OWNER_EXECUTE)
set(ENV{PATH} "${TSB_TEST_DIR}/bin:$ENV{PATH}")
use_pip()
run(
  here env
  IN "${TSB_TEST_DIR}"
  ENVIRONMENT ${environment}
  COMMAND env
)
tsb_expect_file(
  "a command" CONTAINS "${log}" "PIP_EXTRA_INDEX_URL=${words}" "PIP_USER=0" "LANG=C.UTF-8" "HOME=${TSB_WORK}/home"
)
tsb_expect_file("a command" LACKS "${log}" "/nowhere")
tsb_expect_file("a command line" LACKS "${TSB_TEST_DIR}/words" "secret")
foreach(name IN ITEMS PIP_CONFIG_FILE PIP_CACHE_DIR)
  unset(ENV{${name}})
endforeach()

# The caller's own words go before.
set(ENV{XDG_CONFIG_HOME} "${TSB_TEST_DIR}/config")
set(ENV{XDG_CACHE_HOME} "${TSB_TEST_DIR}/cache")
file(WRITE "${TSB_TEST_DIR}/config/pip/pip.conf" "")
expect_has(PIP_CONFIG_FILE "${TSB_TEST_DIR}/config/pip/pip.conf")
expect_has(PIP_CACHE_DIR "${TSB_TEST_DIR}/cache/pip")
set(ENV{PIP_CONFIG_FILE} /dev/null)
set(ENV{PIP_CACHE_DIR} "/elsewhere")
set(ENV{PIP_INDEX_URL} "https://index.example.org/simple")
expect_has(PIP_CONFIG_FILE /dev/null)
expect_has(PIP_CACHE_DIR /elsewhere)
expect_has(PIP_INDEX_URL "https://index.example.org/simple")
unset(ENV{HOME})
unset(ENV{XDG_CACHE_HOME})
unset(ENV{PIP_CACHE_DIR})
expect_has(PIP_CACHE_DIR "")
