# SPDX-License-Identifier: BSD-3-Clause
# Run by CPack's External generator: packs every staged tree into dist/. A zip that is up to date is left alone.
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/../cmake")
include("${z_tsb_cmake}/detail/z_tsb_json.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")

function(z_tsb_pack_artifact name)
  file(READ "${CPACK_TSB_BUILD_FOLDER}/artifacts/${name}.json" artifact)
  z_tsb_json_get(dist "${artifact}" dist)
  z_tsb_json_get(file "${artifact}" file)
  file(READ "${CPACK_TSB_BUILD_FOLDER}/settings.json" settings)
  z_tsb_json_get(torchpkg "${settings}" torchpkg)
  set(stage "${CPACK_TSB_BUILD_FOLDER}/stage/${name}")
  if(NOT EXISTS "${stage}/inputs.json")
    message(FATAL_ERROR "${name} is not staged; build first: cmake --build \"${CPACK_TSB_BUILD_FOLDER}\"")
  endif()
  file(READ "${stage}/inputs.json" inputs)
  string(SHA256 hash "${inputs}")
  # What was packed is remembered with the zip's size and time: a zip that somebody replaced is packed again.
  if(EXISTS "${dist}/${file}" AND EXISTS "${stage}/packed.json")
    file(SIZE "${dist}/${file}" size)
    file(TIMESTAMP "${dist}/${file}" time "%s")
    file(READ "${stage}/packed.json" packed)
    if(packed STREQUAL "${hash} ${size} ${time} ${dist}/${file}")
      return()
    endif()
  endif()
  execute_process(
    COMMAND "${torchpkg}" pack zip --root "${stage}/libtorch" --output "${dist}/${file}"
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "packing ${file} failed; the reason stands above")
  endif()
  file(SIZE "${dist}/${file}" size)
  file(TIMESTAMP "${dist}/${file}" time "%s")
  z_tsb_write_file("${stage}/packed.json" "${hash} ${size} ${time} ${dist}/${file}")
endfunction()

foreach(artifact IN LISTS CPACK_TSB_ARTIFACTS)
  z_tsb_pack_artifact(${artifact})
endforeach()
