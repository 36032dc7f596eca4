# SPDX-License-Identifier: BSD-3-Clause
# Settings that would be ignored, or taken for something else: the message about each. The real CMakeLists.txt shows it
# before it looks at the machine and without frames of functions, and forgets a -D that it has refused.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
include(${TSB_SOURCE_DIR}/cmake/settings/tsb_check_settings.cmake)
include(${TSB_SOURCE_DIR}/cmake/settings/tsb_settings.cmake)
include(${TSB_SOURCE_DIR}/tests/fixtures/release.cmake)
foreach(name IN ITEMS TSB_SOURCE_DIR TSB_TEST_DIR) # this test's own -D is none of a user's
  set(value "${${name}}")
  unset(${name} CACHE)
  set(${name} "${value}")
endforeach()
set(CMAKE_SOURCE_DIR "${TSB_SOURCE_DIR}")
set(CMAKE_BINARY_DIR "${TSB_TEST_DIR}")
set(TSB_PRESET mine)
set(TSB_BACKEND cpu)
set(TSB_BLAS mkl)
set(TSB_ARTIFACTS libtorch-shared-with-deps)
set(TSB_PYTORCH_VERSION ${pytorch})
foreach(name IN ITEMS TSB_PINS_FILE TSB_OFFLINE TSB_LOCAL_pytorch XDG_CACHE_HOME TSB_SOURCES TSB_STORE)
  unset(ENV{${name}})
endforeach()
set(nothing "${TSB_TEST_DIR}/nothing")
file(MAKE_DIRECTORY "${nothing}/releases")

# said(<message>): the error about the settings as they are; "" is none.
function(said message)
  tsb_check_settings(RESULT_ERROR error)
  if(NOT error)
    tsb_settings(error)
  endif()
  if(message STREQUAL "")
    tsb_expect("the message" EQUAL "${error}" "")
  endif()
  tsb_expect("the message" CONTAINS "${error}" "${message}")
  tsb_expect("a password" LACKS "${error}" "s3cret")
endfunction()

# environment(<NAME> <value> <message>)
function(environment name value message)
  set(before "$ENV{${name}}")
  set(ENV{${name}} "${value}")
  said("${message}")
  set(ENV{${name}} "${before}")
endfunction()

said("")
foreach(name IN ITEMS TSB_OFFLINE TSB_UNITY TSB_SONAME_VERSION TSB_NETWORK_NAMESPACE TSB_WHEEL_VARIANT)
  environment(${name} maybe "${name} is 'maybe' set it to ON or OFF, or unset it")
  foreach(value IN ITEMS ON off 1 0)
    environment(${name} ${value} "")
  endforeach()
endforeach()
foreach(value IN ITEMS many 0 -1 1.5)
  environment(TSB_JOBS ${value} "TSB_JOBS is '${value}' set it to a positive integer, or unset it")
endforeach()
environment(TSB_JOBS 2 "")
environment(TSB_PROGRESS_SECONDS x "TSB_PROGRESS_SECONDS is 'x' set it to a positive integer")
environment(SOURCE_DATE_EPOCH now "SOURCE_DATE_EPOCH is 'now' set it to seconds since 1970")
environment(SOURCE_DATE_EPOCH 0 "")
environment(TSB_DEBUG_INFO much "TSB_DEBUG_INFO is 'much' set it to none, lines or full")
environment(
  TSB_PROVIDERS mirror,git
  "TSB_PROVIDERS has 'mirror,git' separate its words by ';', of which there are: mirror;upstream;git;"
)
environment(TSB_PROVIDERS "git;local" "")
environment(TSB_TORCHPKG /bin/true "TSB_TORCHPKG names /bin/true, which is not torchpkg correct it")

# Folders and files.
foreach(name IN ITEMS TSB_ADDITIONS TSB_PINS_FILE TSB_CONSUMER_DIR)
  environment(${name} /gone "${name} names /gone, which does not exist")
endforeach()
environment(TSB_SUPERBUILD_DIR gone "TSB_SUPERBUILD_DIR names ${TSB_SOURCE_DIR}/gone, which does not exist")
foreach(name IN ITEMS TSB_ADDITIONS TSB_STORE)
  environment(${name} /etc/passwd "${name} names /etc/passwd, which is not a folder")
endforeach()
set(other "names ${nothing}, which holds something else: it has no")
environment(TSB_ADDITIONS "${nothing}" "TSB_ADDITIONS ${other} releases/*, backends/*, targets/*, superbuild/* correct")
environment(TSB_SUPERBUILD_DIR "${nothing}" "TSB_SUPERBUILD_DIR ${other} *.cmake correct it")
environment(TSB_CONSUMER_DIR "${nothing}" "TSB_CONSUMER_DIR ${other} CMakeLists.txt correct it")
set(apart "and CMake's lists and patterns cannot have ';', quotes, brackets or backslashes choose another folder")
foreach(name IN ITEMS TSB_STORE TSB_SOURCES TSB_DIST TSB_LOCAL_sleef HOME XDG_CACHE_HOME)
  foreach(character IN ITEMS "\"" "[b]" "\\")
    environment(${name} "/a${character}b" "${name} names /a${character}b, ${apart}")
  endforeach()
endforeach()
set(ENV{TSB_SOURCES} /a)
environment(TSB_STORE "/ein groß geschriebenes €" "")
set(ENV{TSB_STORE} /b)
environment(HOME "/a[b]c" "")
string(ASCII 255 byte)
environment(TSB_STORE "/a${byte}b" "b, which is not UTF-8")

# A password that could be taken for another part of the address stays hidden.
set(refused "TSB_SOURCE_MIRROR has an address in which an '@' does not end a user name and a password write them with")
foreach(password IN ITEMS "p@s3cret" "p/s3cret" "p#s3cret" "p?s3cret" "p\"s3cret" "[p]s3cret" "p\\s3cret")
  environment(TSB_SOURCE_MIRROR "http://me:${password}@mirror/a" "${refused}")
endforeach()
environment(TSB_SOURCE_MIRROR "http://me:s3cret@mirror/a\"b" "TSB_SOURCE_MIRROR has an address, and CMake's")
foreach(mirror IN ITEMS "/a@b" "file:///a@b" "https://me:p%40s3cr!t@[::1]:80/a/" "http://mirror/" "http://[::1]:80/")
  environment(TSB_SOURCE_MIRROR "${mirror}" "")
endforeach()

# A PyTorch of one's own.
file(WRITE "${TSB_TEST_DIR}/mine/CMakeLists.txt" "# PyTorch\ncmake_minimum_required(VERSION 99.1 FATAL_ERROR)\n")
environment(
  TSB_LOCAL_pytorch "${TSB_TEST_DIR}/mine"
  "the PyTorch in ${TSB_TEST_DIR}/mine needs CMake 99.1, and this is CMake ${CMAKE_VERSION} put a newer one first into"
)
environment(
  TSB_LOCAL_pytorch "${nothing}"
  "TSB_LOCAL_pytorch names ${nothing}, which has no CMakeLists.txt correct it, or unset it"
)

# A folder for another source.
environment(
  TSB_LOCAL_slef "${nothing}"
  "TSB_LOCAL_slef is set, but the pins have no source of that name correct it, or unset it; there are: "
)
file(WRITE "${TSB_TEST_DIR}/sources.json" [[{"schema": 1, "sources": {"a-b": {}, "c": {}}}]])
set(ENV{TSB_PINS_FILE} "${TSB_TEST_DIR}/sources.json")
environment(TSB_LOCAL_a_b "${nothing}" "")
environment(TSB_LOCAL_sleef "${nothing}" "unset it; there are: a_b, c")
unset(ENV{TSB_PINS_FILE})

# What presets set. preset(<NAME> <value> <message>)
function(preset name value message)
  set(${name} "${value}")
  said("${message}")
endfunction()
preset(TSB_PRESET "" "no preset: there is nothing to build name one, as in: cmake --preset cpu-libtorch-shared")
preset(TSB_BLAS blis "TSB_BLAS is 'blis' take a preset with one that x86-64 has: mkl, openblas")
preset(TSB_PYTORCH_VERSION 9.9.0 "PyTorch 9.9.0 has no folder in releases/ there are: ")
preset(
  TSB_BACKEND rocm9
  "TSB_BACKEND is 'rocm9', which PyTorch ${pytorch} is not built for there are: cpu, cu118, cu124, cu126, official-"
)
preset(TSB_BACKEND "" "TSB_BACKEND is '', which PyTorch ${pytorch} is not built for")
set(ENV{TSB_MAGMA} maybe)
preset(TSB_BACKEND cu124 "TSB_MAGMA is 'maybe' set it to ON or OFF")
unset(ENV{TSB_MAGMA})
foreach(name IN ITEMS TSB_PACKGES TSB_CUDA_VERSION)
  set(${name} x CACHE STRING "")
  said("-D ${name} has no effect")
endforeach()
said("")

# configure(<message> <argument>...): the project's own CMakeLists.txt.
function(configure message)
  tsb_run(status output ${CMAKE_COMMAND} -S ${TSB_SOURCE_DIR} -B ${TSB_TEST_DIR}/build -G Ninja ${ARGN})
  tsb_expect_end(1 "${message}")
  tsb_expect("no doctor, no frames" LACKS "${output}" "This machine" "Call Stack")
endfunction()
set(good -DTSB_PRESET=mine -DTSB_BACKEND=cpu -DTSB_PYTORCH_VERSION=9.9.0 -DTSB_ARTIFACTS=a)
configure(
  "-D TSB_STORE has no effect set it in the environment if docs/sources.md lists it: export TSB_STORE=... valid with -D"
  ${good} -DTSB_STORE=/x
)
configure("PyTorch 9.9.0 has no folder in releases/")
configure("TSB_ARTIFACTS names 'a', which PyTorch" -DTSB_PYTORCH_VERSION=${pytorch})

# Where include() would take the checkout's path apart.
file(COPY "${TSB_SOURCE_DIR}/CMakeLists.txt" DESTINATION "${TSB_TEST_DIR}/a;b")
execute_process(COMMAND ${CMAKE_COMMAND} -B build WORKING_DIRECTORY "${TSB_TEST_DIR}/a;b" ERROR_VARIABLE output)
tsb_expect("a ';' in the path" CONTAINS "${output}" "'${TSB_TEST_DIR}/a;b': CMake takes a path with ';' apart move it")
tsb_expect("nothing else" LACKS "${output}" "include could not find")
