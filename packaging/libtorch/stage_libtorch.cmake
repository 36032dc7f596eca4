# SPDX-License-Identifier: BSD-3-Clause
# Stages the tree of a libtorch zip: stage/<artifact>/libtorch, from the packages' install trees.
#
#   sh run_script.sh cmake -D TSB_ARTIFACT=<artifacts/x.json> -P stage_libtorch.cmake
#
# What a C++ user needs and nothing else: headers, shared libraries, a relocatable CMake package, licences, the
# manifest. libtorch_python.so and the archives of PyTorch's third-party tree do not belong in it.
cmake_minimum_required(VERSION 3.25)
set(z_tsb_cmake "${CMAKE_CURRENT_LIST_DIR}/../../cmake")
include("${z_tsb_cmake}/detail/tsb_fail.cmake")
include("${z_tsb_cmake}/detail/z_tsb_json.cmake")
include("${z_tsb_cmake}/detail/z_tsb_write_file.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${z_tsb_cmake}/package/z_tsb_phase_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_inputs.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_cmake_package.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_licenses.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_manifest.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_libtorch_sbom.cmake")

# Libraries: shared ones, with their links, without what only Python needs.
function(z_tsb_stage_libraries install root strip)
  file(GLOB libraries "${install}/lib/*.so" "${install}/lib/*.so.*")
  # PyTorch's own, by name: its third-party tree may install others, such as libuv.
  list(FILTER libraries INCLUDE REGEX "/lib(c10|torch|caffe2)[a-z0-9_]*\\.so")
  list(FILTER libraries EXCLUDE REGEX "/libtorch_python\\.so")
  if(NOT libraries)
    tsb_fail("there are no shared libraries in ${install}/lib" "see the log of PyTorch's stage phase")
  endif()
  file(COPY ${libraries} DESTINATION "${root}/lib")
  # Symbols for linking and back traces stay (.dynsym); the full table, a fifth of the size, goes.
  foreach(library IN LISTS libraries)
    if(IS_SYMLINK "${library}")
      continue()
    endif()
    get_filename_component(name "${library}" NAME)
    execute_process(
      COMMAND "${strip}" --strip-unneeded "${root}/lib/${name}"
      RESULT_VARIABLE result
      ERROR_VARIABLE error
    )
    if(NOT result EQUAL 0)
      tsb_fail("cannot strip ${name}: ${error}")
    endif()
  endforeach()
endfunction()

function(z_tsb_bundle artifact root report)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_get(torchpkg "${settings}" torchpkg)
  execute_process(
    COMMAND "${torchpkg}" bundle --root "${root}" --rename --report "${report}"
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    tsb_fail("cannot bundle the libraries that libtorch needs")
  endif()
endfunction()

function(z_tsb_stage_libtorch)
  file(READ "${TSB_ARTIFACT}" artifact)
  z_tsb_json_get(build_folder "${artifact}" build_folder)
  z_tsb_json_get(name "${artifact}" artifact)
  z_tsb_json_get(version "${artifact}" version)
  z_tsb_json_get(strip "${artifact}" strip)
  tsb_lock(DIRECTORY "${build_folder}")

  set(stage "${build_folder}/stage/${name}")
  z_tsb_libtorch_inputs(inputs "${artifact}")
  if(EXISTS "${stage}/inputs.json")
    file(READ "${stage}/inputs.json" recorded)
    if(recorded STREQUAL inputs)
      return()
    endif()
  endif()
  message(STATUS "${name} stage")
  set(install "${build_folder}/packages/pytorch/install")
  set(root "${stage}/libtorch")
  file(REMOVE "${stage}/inputs.json") # first: what is left of the rest counts for nothing
  file(REMOVE_RECURSE "${stage}")
  z_tsb_stage_libraries("${install}" "${root}" "${strip}")
  file(COPY "${install}/include" DESTINATION "${root}")
  z_tsb_libtorch_cmake_package("${artifact}" "${install}" "${root}")
  z_tsb_bundle("${artifact}" "${root}" "${stage}/bundle.json")
  z_tsb_libtorch_licenses("${root}" "${stage}/bundle.json" "${stage}/owners.json")
  z_tsb_libtorch_manifest("${artifact}" "${root}" "${stage}/bundle.json")
  z_tsb_libtorch_sbom("${artifact}" "${TSB_ARTIFACT}" "${root}" "${stage}/owners.json")
  file(WRITE "${root}/build-version" "${version}\n")
  z_tsb_write_file("${stage}/inputs.json" "${inputs}")
endfunction()

z_tsb_stage_libtorch()
