# SPDX-License-Identifier: BSD-3-Clause
# Checks a packed artifact: `torchpkg check` on the zip, and a consumer project that is built against it at two
# prefixes. An artifact that has passed is not checked again until it changes. One that has passed with TSB_OFFLINE, which
# leaves out what needs a network, is checked again without it.
#
#   sh run_script.sh cmake -D TSB_ARTIFACT=<artifacts/x.json> -P check_artifact.cmake
cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_check_package.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/z_tsb_packed_files.cmake")
include("${z_tsb_cmake}/lock/tsb_lock.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/cuda/z_tsb_cuda_packages.cmake")

function(z_tsb_check_artifact)
  file(READ "${TSB_ARTIFACT}" artifact)
  z_tsb_json_take(artifact build_folder name file debug_file product deps cuda_version)
  z_tsb_json_get(main "${artifact}" package)
  file(READ "${build_folder}/settings.json" settings)
  z_tsb_json_take(settings dist consumer ninja torchpkg)
  z_tsb_json_get(compiler "${settings}" CMAKE_CXX_COMPILER)
  tsb_lock(DIRECTORY "${build_folder}")
  if(file STREQUAL "") # known since it was packed
    z_tsb_packed_files(packed intact "${build_folder}/stage/${name}" "${dist}" "")
    list(FILTER packed INCLUDE REGEX "\\.(whl|conda)$")
    set(file "${packed}")
  endif()
  set(package "${dist}/${file}")
  if(file STREQUAL "" OR NOT EXISTS "${package}")
    tsb_fail("${package} does not exist" "pack it first: cpack --config \"${build_folder}/CPackConfig.cmake\"")
  endif()
  set(debug "")
  if(debug_file)
    set(debug "${dist}/${debug_file}")
    if(NOT EXISTS "${debug}")
      tsb_fail("${debug} does not exist" "pack it first: cpack --config \"${build_folder}/CPackConfig.cmake\"")
    endif()
  endif()
  set(work "${build_folder}/check/${name}")
  set(stamp "")
  foreach(zip IN LISTS package debug)
    file(SIZE "${zip}" size)
    file(TIMESTAMP "${zip}" time "%s")
    string(APPEND stamp "${zip} ${size} ${time}\n")
  endforeach()
  file(GLOB_RECURSE files "${consumer}/*")
  z_tsb_checker_hash(checker "${artifact}")
  string(APPEND stamp "${checker}\n")
  foreach(source IN LISTS files)
    file(SHA256 "${source}" hash)
    string(APPEND stamp "${hash}\n")
  endforeach()
  set(complete "${stamp}")
  if("$ENV{TSB_OFFLINE}")
    string(APPEND stamp "offline\n")
  endif()
  if(EXISTS "${work}/passed.txt")
    file(READ "${work}/passed.txt" passed)
    if(passed STREQUAL stamp OR passed STREQUAL complete)
      message(STATUS "${file} has passed its checks already")
      return()
    endif()
  endif()
  file(MAKE_DIRECTORY "${work}")
  # A conda package's libraries have been checked, with their debug information, in the staged tree.
  set(debug_to_check "${debug}")
  if(product STREQUAL "conda")
    set(debug_to_check "")
  endif()
  z_tsb_check_package("${artifact}" "${package}" "${debug_to_check}" "${work}/check")
  file(READ "${build_folder}/packages/${main}/package.json" main)
  z_tsb_json_get(python "${main}" python_executable)
  # What a user of a package without deps has installed lies in no folder of the loader's here.
  set(host_libraries "")
  if(product STREQUAL "libtorch" AND deps STREQUAL "without-deps")
    z_tsb_cuda_folders(host_libraries "${artifact}")
    list(JOIN host_libraries ":" host_libraries)
  endif()
  execute_process(
    COMMAND
      sh "${z_tsb_cmake}/detail/run_script.sh" "${CMAKE_COMMAND}" "-DTSB_PACKAGE=${package}"
      "-DTSB_DEBUG_PACKAGE=${debug}" "-DTSB_NINJA=${ninja}" "-DTSB_COMPILER=${compiler}" "-DTSB_CONSUMER=${consumer}"
      "-DTSB_PYTHON=${python}" "-DTSB_TORCHPKG=${torchpkg}"
      "-DTSB_MODULES=${build_folder}/packages/build-requirements/install/site-packages" "-DTSB_WORK=${work}/consumer"
      "-DTSB_CACHE=${build_folder}/check/cache" "-DTSB_RESULT=${work}/consumer.json"
      "-DTSB_HOST_LIBRARIES=${host_libraries}" "-DTSB_CUDA_VERSION=${cuda_version}" -P
      "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${product}/consumer_check.cmake"
    RESULT_VARIABLE result
  )
  if(NOT result EQUAL 0)
    tsb_fail("a consumer of ${file} does not work")
  endif()
  z_tsb_write_file("${work}/passed.txt" "${stamp}")
  message(STATUS "${package} has passed all checks")
endfunction()

z_tsb_check_artifact()
