# SPDX-License-Identifier: BSD-3-Clause
# Run by CPack's External generator: packs every staged tree into dist/, as its product wants it
# (packaging/<product>/z_tsb_pack_<product>.cmake). What is up to date is left alone.
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/../cmake")
include("${z_tsb_cmake}/detail/z_tsb_json.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_packed_files.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/conda/z_tsb_pack_conda.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/libtorch/z_tsb_pack_libtorch.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/wheel/z_tsb_pack_wheel.cmake")

# Sets `error` where it fails: CPack shows the frames of an error that is raised in a function.
function(z_tsb_pack_artifact name)
  file(READ "${CPACK_TSB_BUILD_FOLDER}/artifacts/${name}.json" artifact)
  z_tsb_json_take(artifact product)
  file(READ "${CPACK_TSB_BUILD_FOLDER}/settings.json" settings)
  z_tsb_json_take(settings dist torchpkg)
  set(stage "${CPACK_TSB_BUILD_FOLDER}/stage/${name}")
  tsb_lock(DIRECTORY "${CPACK_TSB_BUILD_FOLDER}" RESULT_ERROR error)
  set(error "${error}" PARENT_SCOPE)
  if(error)
    return()
  endif()
  if(NOT EXISTS "${stage}/inputs.json")
    set(error "  ${name} is not staged\n  build first: cmake --build \"${CPACK_TSB_BUILD_FOLDER}\"" PARENT_SCOPE)
    return()
  endif()
  file(READ "${stage}/inputs.json" inputs)
  string(SHA256 hash "${inputs}$ENV{SOURCE_DATE_EPOCH}") # torchpkg reads it when it packs
  z_tsb_packed_files(earlier intact "${stage}" "${dist}" "${hash}")
  if(NOT intact)
    execute_process(
      COMMAND mkdir -p "${dist}"
      RESULT_VARIABLE result
      ERROR_VARIABLE text
      ERROR_STRIP_TRAILING_WHITESPACE
    )
    if(NOT result EQUAL 0)
      set(
        error "  cannot make the folder ${dist}: ${text}\n  set TSB_DIST to a folder that can be written" PARENT_SCOPE
      )
      return()
    endif()
    cmake_language(CALL z_tsb_pack_${product} files error "${artifact}" "${stage}" "${dist}" "${torchpkg}" "${earlier}")
    if(error)
      set(error "${error}" PARENT_SCOPE)
      return()
    endif()
    z_tsb_record_packed_files("${stage}" "${dist}" "${hash}" ${files})
  endif()
  cmake_language(CALL z_tsb_finish_${product} "${artifact}" "${stage}" "${dist}")
endfunction()

foreach(artifact IN LISTS CPACK_TSB_ARTIFACTS)
  z_tsb_pack_artifact(${artifact})
  if(error)
    message(FATAL_ERROR "${error}")
  endif()
endforeach()
