# SPDX-License-Identifier: BSD-3-Clause
# configure(): a superbuild with a pytorch that is never built and the artifact ARTIFACT, in TSB_TEST_DIR/a build; sets
# `code` and `output`. `dist` is where its artifacts go.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
set(build "${TSB_TEST_DIR}/a build")
set(ENV{TSB_PINS_FILE} "${TSB_TEST_DIR}/pins.json")
set(ENV{TSB_STORE} "${TSB_TEST_DIR}/store")
set(ENV{TSB_SOURCES} "${TSB_TEST_DIR}/sources")
unset(ENV{TSB_TORCHPKG})
file(WRITE "$ENV{TSB_PINS_FILE}" "{\"schema\": 1, \"sources\": {\"pytorch\": {\"candidates\": []}}}")
file(
  WRITE "${TSB_TEST_DIR}/a project/CMakeLists.txt"
  "cmake_minimum_required(VERSION 3.25)
project(superbuild LANGUAGES NONE)
set(TSB_PYTORCH_VERSION 2.6.0)
set(TSB_BACKEND cpu)
set(TSB_PRESET cpu-libtorch-shared)
foreach(file IN ITEMS cmake/settings/tsb_settings cmake/artifact/tsb_choose_artifacts cmake/package/tsb_declare_package cmake/package/tsb_activate_packages
    packaging/cmake/tsb_add_artifacts)
  include(\"${TSB_SOURCE_DIR}/\${file}.cmake\")
endforeach()
tsb_settings(error)
tsb_write_settings()
add_custom_target(torchpkg)
tsb_declare_package(pytorch DESCRIPTION \"P\" SOURCE pytorch)
tsb_declare_package(pytorch-py311 DESCRIPTION \"L\" SOURCE pytorch PYTHON 3.11 DEPENDS pytorch)
tsb_choose_artifacts(artifacts)
tsb_add_artifacts(\${artifacts})\n"
)
function(configure artifact)
  set(ENV{TSB_DIST} "${dist}")
  tsb_run(
    code text "${CMAKE_COMMAND}" -S "${TSB_TEST_DIR}/a project" -B "${build}" -G Ninja "-DTSB_ARTIFACTS=${artifact}"
  )
  set(code ${code} PARENT_SCOPE)
  set(output "${text}" PARENT_SCOPE)
endfunction()

# staged(<artifact> <text>): leaves the stamp of a stage that was made of <text>, and a manifest.
function(staged artifact text)
  file(WRITE "${build}/steps/${artifact}/stage.json" "{\"inputs\": {\"made of\": \"${text}\"}}")
  file(WRITE "${build}/steps/pytorch/stage.json" "{\"inputs\": {}}")
  set(package [[{"name": "pytorch", "fingerprint": "01", "sources": [], "patches": []}]])
  set(manifest "{\"backend\": \"cpu\", \"backend_kind\": \"cpu\", \"bundled\": [], \"packages\": [${package}]}")
  foreach(tree IN ITEMS libtorch site-packages/torch)
    file(WRITE "${build}/stage/${artifact}/${tree}/manifest.json" "${manifest}")
  endforeach()
endfunction()

# pack(<good|bad> <yes|no>): runs cpack; whether it has to call torchpkg, whose stand-in writes the file ran.
function(pack expected packs)
  file(REMOVE "${TSB_TEST_DIR}/ran")
  run(${expected} "${CMAKE_CPACK_COMMAND}" --config "${build}/CPackConfig.cmake")
  set(packed no)
  if(EXISTS "${TSB_TEST_DIR}/ran")
    set(packed yes)
  endif()
  tsb_expect("packs" EQUAL ${packed} ${packs})
  tsb_expect("words" LACKS "${output}" "Call Stack")
  set(output "${output}" PARENT_SCOPE)
endfunction()

# stand_in_torchpkg(): a torchpkg that packs nothing: `torchpkg pack --root <folder> --output <file> ...`.
function(stand_in_torchpkg)
  set(torchpkg "${build}/packaging/torchpkg/torchpkg")
  file(
    WRITE "${torchpkg}"
    "#!/bin/sh
[ -e '${TSB_TEST_DIR}/fail' ] && { echo 'torchpkg: the disk is full' >&2; exit 4; }
words=$*
while [ \"$1\" != --output ]; do shift; done
case $2 in *.whl) echo \"$words\" >'${TSB_TEST_DIR}/ran' ;; esac
echo packed >\"$2\"\n"
  )
  file(CHMOD "${torchpkg}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()
