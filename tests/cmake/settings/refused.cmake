# SPDX-License-Identifier: BSD-3-Clause
# Settings that would be ignored, or taken for something else: refused by the real CMakeLists.txt before it looks at the
# machine, and without a word about them in the next run.
cmake_minimum_required(VERSION 3.25)
include(${TSB_SOURCE_DIR}/tests/cmake/tsb_expect.cmake)
set(preset -DTSB_PRESET=mine -DTSB_BACKEND=cpu -DTSB_BLAS=mkl -DTSB_ARTIFACTS=libtorch-shared-with-deps)
# A release without a folder: what is good gets as far as to that message.
list(APPEND preset -DTSB_PYTORCH_VERSION=9.9.0)
set(accepted "PyTorch 9.9.0 has no folder in releases/")

# expect_refusal(<message> <argument>...): of a build folder that stays.
function(expect_refusal message)
  tsb_run(status output ${CMAKE_COMMAND} -E env --unset=TSB_PINS_FILE --unset=TSB_OFFLINE ${ARGN})
  tsb_expect("status" EQUAL "${status}" 1)
  tsb_expect("no doctor" LACKS "${output}" "This machine")
  tsb_expect("no frames" LACKS "${output}" "tsb_check_settings (")
  if(message MATCHES " names |DEBUG_INFO")
    tsb_expect("no frames" LACKS "${output}" "tsb_settings (")
  endif()
  tsb_expect("the message" CONTAINS "${output}" "${message}")
endfunction()

set(configure ${CMAKE_COMMAND} -S ${TSB_SOURCE_DIR} -B ${TSB_TEST_DIR}/build -G Ninja)
expect_refusal("no preset: there is nothing to build name one, as in: cmake --preset cpu-libtorch-shared" ${configure})
expect_refusal("${accepted}" ${configure} ${preset})
expect_refusal(
  "-D TSB_STORE has no effect set it in the environment if docs/sources.md lists it: export TSB_STORE=... valid with -D"
  ${configure} -DTSB_STORE=/x
)
expect_refusal("${accepted}" ${configure})
expect_refusal("-D TSB_PACKGES has no effect" ${configure} -DTSB_PACKGES=sleef)
expect_refusal("-D TSB_CUDA_VERSION has no effect" ${configure} -DTSB_CUDA_VERSION=12.4)
set(good ${configure} ${preset})
foreach(name IN ITEMS TSB_OFFLINE TSB_UNITY TSB_SONAME_VERSION TSB_NETWORK_NAMESPACE)
  expect_refusal("${name} is 'maybe' set it to ON or OFF, or unset it" ${name}=maybe ${good})
  foreach(value IN ITEMS ON off 1 0 "")
    expect_refusal("${accepted}" ${name}=${value} ${good})
  endforeach()
endforeach()
foreach(value IN ITEMS many 0 -1 1.5)
  expect_refusal("TSB_JOBS is '${value}' set it to a positive integer, or unset it" TSB_JOBS=${value} ${good})
endforeach()
expect_refusal("TSB_PROGRESS_SECONDS is 'x' set it to a positive integer" TSB_PROGRESS_SECONDS=x ${good})
expect_refusal("SOURCE_DATE_EPOCH is 'now' set it to seconds since 1970" SOURCE_DATE_EPOCH=now ${good})
expect_refusal("${accepted}" TSB_JOBS=2 SOURCE_DATE_EPOCH=0 ${good})
expect_refusal("TSB_ADDITIONS names /gone, which does not exist" TSB_ADDITIONS=/gone ${good})
expect_refusal("TSB_PINS_FILE names /gone, which does not exist" TSB_PINS_FILE=/gone ${good})
expect_refusal(
  "TSB_SUPERBUILD_DIR names ${TSB_SOURCE_DIR}/gone, which does not exist" TSB_SUPERBUILD_DIR=gone
  TSB_PINS_FILE=${TSB_SOURCE_DIR}/README.md ${good}
)
expect_refusal("TSB_CONSUMER_DIR names /gone, which does not exist" TSB_CONSUMER_DIR=/gone ${good})
expect_refusal("TSB_ADDITIONS names /etc/passwd, which is not a folder" TSB_ADDITIONS=/etc/passwd ${good})
expect_refusal("TSB_STORE names /etc/passwd, which is not a folder" TSB_STORE=/etc/passwd ${good})
foreach(name IN ITEMS TSB_STORE TSB_SOURCES TSB_DIST TSB_LOCAL_sleef)
  foreach(character IN ITEMS "\"" "[b]" "\\")
    expect_refusal(
      "${name} names /a${character}b, and CMake's lists and patterns cannot have ';', quotes, brackets or backslashes choose"
      "${name}=/a${character}b"
      ${good}
    )
  endforeach()
endforeach()
expect_refusal("HOME names /a[b]c, and CMake's" --unset=XDG_CACHE_HOME "HOME=/a[b]c" ${good})
expect_refusal("${accepted}" --unset=XDG_CACHE_HOME "HOME=/a[b]c" TSB_SOURCES=/a TSB_STORE=/b ${good})
expect_refusal("XDG_CACHE_HOME names /a[b]c, and CMake's" "XDG_CACHE_HOME=/a[b]c" ${good})
expect_refusal("${accepted}" "TSB_STORE=/ein groß geschriebenes €" "TSB_SOURCE_MIRROR=http://[::1]:80/" ${good})
# A password that could be taken for another part of the address stays hidden.
set(refused "TSB_SOURCE_MIRROR has an address in which an '@' does not end a user name and a password write them with")
foreach(password IN ITEMS "p@s3cret" "p/s3cret" "p#s3cret" "p?s3cret" "p\"s3cret" "[p]s3cret" "p\\s3cret")
  expect_refusal("${refused}" "TSB_SOURCE_MIRROR=http://me:${password}@mirror/a" ${good})
  tsb_expect("a password" LACKS "${output}" "s3cret")
endforeach()
expect_refusal("TSB_SOURCE_MIRROR has an address, and CMake's" "TSB_SOURCE_MIRROR=http://me:s3cret@mirror/a\"b" ${good})
foreach(mirror IN ITEMS "/a@b" "file:///a@b" "https://me:p%40s3cr!t@[::1]:80/a/" "http://mirror/")
  expect_refusal("${accepted}" "TSB_SOURCE_MIRROR=${mirror}" ${good})
endforeach()
# Bytes that this script cannot write.
execute_process(
  COMMAND sh -c "TSB_STORE=$(printf '/a\\377b') exec \"$@\"" sh ${CMAKE_COMMAND} -E env --unset=TSB_PINS_FILE ${good}
  ERROR_VARIABLE output RESULT_VARIABLE status
)
tsb_expect_end(1 "b, which is not UTF-8")
expect_refusal("TSB_DEBUG_INFO is 'much' set it to none, lines or full" TSB_DEBUG_INFO=much ${good})
expect_refusal(
  "TSB_PROVIDERS has 'mirror,git' separate its words by ';', of which there are: mirror;upstream;git;"
  "TSB_PROVIDERS=mirror,git" ${good}
)
expect_refusal("${accepted}" "TSB_PROVIDERS=git\\;local" ${good})
file(MAKE_DIRECTORY "${TSB_TEST_DIR}/nothing/releases")
foreach(
  case IN ITEMS "TSB_ADDITIONS|releases/*, backends/*, targets/*, superbuild/*" "TSB_SUPERBUILD_DIR|*.cmake"
                "TSB_CONSUMER_DIR|CMakeLists.txt"
)
  string(REGEX MATCH "^(.*)[|](.*)$" ignored "${case}")
  set(name ${CMAKE_MATCH_1})
  expect_refusal(
    "${name} names ${TSB_TEST_DIR}/nothing, which holds something else: it has no ${CMAKE_MATCH_2} correct it"
    ${name}=${TSB_TEST_DIR}/nothing ${good}
  )
endforeach()
# One that the project has: a BLAS is looked at after the release.
file(GLOB releases RELATIVE ${TSB_SOURCE_DIR}/releases ${TSB_SOURCE_DIR}/releases/[0-9]*)
list(GET releases 0 release)
expect_refusal(
  "TSB_BLAS is 'blis' take a preset with one that x86-64 has: mkl, openblas" ${good} -DTSB_BLAS=blis
  -DTSB_PYTORCH_VERSION=${release}
)
# A PyTorch of one's own.
file(WRITE "${TSB_TEST_DIR}/mine/CMakeLists.txt" "# PyTorch\ncmake_minimum_required(VERSION 99.1 FATAL_ERROR)\n")
expect_refusal(
  "the PyTorch in ${TSB_TEST_DIR}/mine needs CMake 99.1, and this is CMake ${CMAKE_VERSION} put a newer one first into"
  TSB_LOCAL_pytorch=${TSB_TEST_DIR}/mine ${good} -DTSB_PYTORCH_VERSION=${release}
)
expect_refusal(
  "TSB_LOCAL_pytorch names ${TSB_TEST_DIR}/nothing, which has no CMakeLists.txt correct it, or unset it"
  TSB_LOCAL_pytorch=${TSB_TEST_DIR}/nothing ${good} -DTSB_PYTORCH_VERSION=${release}
)
expect_refusal(
  "TSB_TORCHPKG names /bin/true, which is not torchpkg correct it" TSB_TORCHPKG=/bin/true ${good}
  -DTSB_PYTORCH_VERSION=${release}
)
expect_refusal("TSB_BACKEND is 'rocm9'" ${configure} -DTSB_BACKEND=rocm9) # it is not asked for again
expect_refusal(
  "TSB_BACKEND is 'rocm9', which PyTorch 2.6.0 is not built for there are: cpu, cu118, cu124, cu126, rocm6.2, rocm7.2; take a preset of one of these"
  ${good}
  -DTSB_BACKEND=rocm9
  -DTSB_PYTORCH_VERSION=2.6.0
)
expect_refusal(
  "TSB_BACKEND is '', which PyTorch 2.6.0 is not built for" ${good} -DTSB_BACKEND= -DTSB_PYTORCH_VERSION=2.6.0
)
expect_refusal("TSB_MAGMA is 'maybe' set it to ON or OFF" TSB_MAGMA=maybe ${good} -DTSB_BACKEND=cu124)

# Where include() would take the checkout's path apart.
file(COPY "${TSB_SOURCE_DIR}/CMakeLists.txt" DESTINATION "${TSB_TEST_DIR}/a;b")
execute_process(COMMAND ${CMAKE_COMMAND} -B build WORKING_DIRECTORY "${TSB_TEST_DIR}/a;b" ERROR_VARIABLE output)
string(REGEX REPLACE "[ \n]+" " " output "${output}")
tsb_expect("a ';' in the path" CONTAINS "${output}" "'${TSB_TEST_DIR}/a;b': CMake takes a path with ';' apart move it")
tsb_expect("nothing else" LACKS "${output}" "include could not find")
