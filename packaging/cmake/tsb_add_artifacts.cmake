# SPDX-License-Identifier: BSD-3-Clause
#[[.rst:
tsb_add_artifacts
-----------------

Adds the targets that make artifacts (files in ``dist/``) from packages.

.. code-block:: cmake

  tsb_add_artifacts(<artifact> ...)

``<artifact>``
  ``libtorch-<linkage>-<deps>``: ``libtorch-shared-with-deps``, ``libtorch-static-without-deps``.

Targets: ``artifact-<artifact>`` stages the tree that is packed (part of the default target); ``cpack`` packs the
staged trees (External generator, ``packaging/pack_artifacts.cmake``); ``check`` checks the packed files.
Each artifact is described in ``artifacts/<artifact>.json``, which those scripts read.

Shared libraries have PyTorch's major and minor version in their SONAMEs (``libtorch_cpu.so.2.6``), unless the environment
variable ``TSB_SONAME_VERSION`` is ``OFF``: then they have none, as those of the official packages.

Beside each zip with shared libraries there is ``debug-<zip>`` with their debug information, unless the environment variable
``TSB_DEBUG_INFO`` is ``none`` (see ``tsb_settings``). Unpacked into the same folder it is found by debuggers.

Errors: an artifact that this version does not make.
#]]
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/z_tsb_json.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/z_tsb_write_file.cmake)

function(z_tsb_describe_artifact artifact)
  if(NOT artifact MATCHES "^(libtorch)-(shared|static)-(with-deps|without-deps)$")
    message(FATAL_ERROR "artifact '${artifact}' is not of the form libtorch-{shared,static}-{with,without}-deps")
  endif()
  set(product "${CMAKE_MATCH_1}")
  set(linkage "${CMAKE_MATCH_2}")
  set(deps "${CMAKE_MATCH_3}")
  set(version "${TSB_PYTORCH_VERSION}+${TSB_BACKEND}")
  if(TSB_BLAS AND NOT TSB_BLAS STREQUAL "mkl") # the official packages' choice, which therefore has no name
    string(APPEND version ".${TSB_BLAS}")
  endif()
  set(file "libtorch-cxx11-abi-${linkage}-${deps}-${version}.zip")
  set(json "{}")
  z_tsb_json_set_string(json artifact "${artifact}")
  foreach(
    member
    IN
    ITEMS product linkage deps version file
  )
    z_tsb_json_set_string(json ${member} "${${member}}")
  endforeach()
  # Made along with others it is the same, byte for byte, as made by its own preset.
  set(preset "${TSB_PRESET}")
  if(preset STREQUAL "${TSB_BACKEND}-all")
    string(REPLACE "-with-deps" "" preset "${TSB_BACKEND}-${artifact}")
  endif()
  z_tsb_json_set_string(json preset "${preset}")
  # So that two releases can be installed side by side; a release is compatible with its own patches only.
  set(soname_version "")
  if(linkage STREQUAL "shared" AND NOT "$ENV{TSB_SONAME_VERSION}" STREQUAL "OFF")
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" soname_version "${TSB_PYTORCH_VERSION}")
  endif()
  z_tsb_json_set_string(json soname_version "${soname_version}")
  set(debug_file "")
  if(linkage STREQUAL "shared" AND NOT TSB_DEBUG_INFO STREQUAL "none")
    set(debug_file "debug-${file}")
  endif()
  z_tsb_json_set_string(json debug_file "${debug_file}")
  z_tsb_json_set_string(json backend "${TSB_BACKEND}")
  z_tsb_json_set_string(json dist "${TSB_DIST}")
  z_tsb_json_set_string(json build_folder "${CMAKE_BINARY_DIR}")
  z_tsb_json_set_string(json consumer "${TSB_CONSUMER_DIR}")
  z_tsb_json_set_string(json compiler_id "${CMAKE_CXX_COMPILER_ID}")
  z_tsb_json_set_string(json compiler_version "${CMAKE_CXX_COMPILER_VERSION}")
  z_tsb_json_set_string(json compiler "${CMAKE_CXX_COMPILER}")
  z_tsb_json_set_string(json objcopy "${CMAKE_OBJCOPY}")
  z_tsb_write_file("${CMAKE_BINARY_DIR}/artifacts/${artifact}.json" "${json}\n")
endfunction()

function(tsb_add_artifacts)
  list(APPEND CMAKE_MESSAGE_CONTEXT "tsb_add_artifacts")
  set(packaging "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..")
  set(run_script sh "${packaging}/../cmake/detail/run_script.sh" "${CMAKE_COMMAND}")
  set(TSB_CONSUMER_DIR "$ENV{TSB_CONSUMER_DIR}")
  if(NOT TSB_CONSUMER_DIR)
    set(TSB_CONSUMER_DIR "${CMAKE_SOURCE_DIR}/tests/consumer")
  endif()
  tsb_activate_packages(pytorch)

  foreach(artifact IN LISTS ARGN)
    z_tsb_describe_artifact(${artifact})
    set(description "${CMAKE_BINARY_DIR}/artifacts/${artifact}.json")
    # Always run: the script itself finds out whether the staged tree is up to date.
    add_custom_target(
      artifact-${artifact}
      ALL
      COMMAND ${run_script} "-DTSB_ARTIFACT=${description}" -P "${packaging}/libtorch/stage_libtorch.cmake"
      COMMENT "Staging ${artifact}"
      USES_TERMINAL
      VERBATIM
    )
    add_dependencies(artifact-${artifact} pytorch torchpkg)
    add_test(
      NAME "stage of ${artifact}"
      COMMAND ${run_script} "-DTSB_ARTIFACT=${description}" -P "${packaging}/libtorch/check_stage.cmake"
    )
    list(
      APPEND check_commands
      COMMAND
      ${run_script}
      "-DTSB_ARTIFACT=${description}"
      -P
      "${packaging}/libtorch/check_artifact.cmake"
    )
  endforeach()
  add_custom_target(check ${check_commands} COMMENT "Checking the packed artifacts" USES_TERMINAL VERBATIM)

  # The superbuild has no install rules, so CPack never runs a build.
  set(CPACK_GENERATOR External)
  set(CPACK_EXTERNAL_ENABLE_STAGING OFF)
  set(CPACK_EXTERNAL_PACKAGE_SCRIPT "${packaging}/pack_artifacts.cmake")
  set(CPACK_INSTALL_CMAKE_PROJECTS "")
  set(CPACK_INSTALLED_DIRECTORIES "")
  set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/cpack")
  set(CPACK_PACKAGE_VERSION "${TSB_PYTORCH_VERSION}")
  set(CPACK_TSB_BUILD_FOLDER "${CMAKE_BINARY_DIR}")
  set(CPACK_TSB_ARTIFACTS "${ARGN}")
  set(CPACK_VERBATIM_VARIABLES TRUE)
  include(CPack)
endfunction()
