# SPDX-License-Identifier: BSD-3-Clause
# configure(<artifact>): the superbuild of superbuild/ with that artifact, in TSB_TEST_DIR/a build; sets `code` and
# `output`.
include("${CMAKE_CURRENT_LIST_DIR}/package.cmake")
set(build "${TSB_TEST_DIR}/a build")
set(ENV{TSB_PINS_FILE} "${TSB_TEST_DIR}/pins.json")
set(ENV{TSB_STORE} "${TSB_TEST_DIR}/store")
set(ENV{TSB_SOURCES} "${TSB_TEST_DIR}/sources")
set(ENV{TSB_DIST} "${TSB_TEST_DIR}/dist")
unset(ENV{TSB_TORCHPKG})
set(ENV{HERE} "${TSB_TEST_DIR}")
file(WRITE "$ENV{TSB_PINS_FILE}" "{\"schema\": 1, \"sources\": {\"pytorch\": {\"candidates\": []}}}")
function(configure artifact)
  tsb_run(
    code text "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/superbuild" -B "${build}" -G Ninja
    "-DTREE:PATH=${TSB_SOURCE_DIR}" "-DTSB_ARTIFACTS=${artifact}"
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

# pack(<good|bad> <yes|no>): runs cpack; whether a stand-in has to pack, which then writes the file ran.
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

# stand_in_torchpkg(): torchpkg.sh becomes the project's torchpkg.
function(stand_in_torchpkg)
  file(MAKE_DIRECTORY "${build}")
  file(COPY_FILE "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/superbuild/torchpkg.sh" "${build}/torchpkg")
endfunction()
