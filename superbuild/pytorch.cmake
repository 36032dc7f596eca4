# SPDX-License-Identifier: BSD-3-Clause
# PyTorch, compiled once per backend; every artifact is made from this package's install tree.
include(${CMAKE_CURRENT_LIST_DIR}/pytorch/build_settings.cmake)

# Sources that share a compile; see pytorch/unity_groups.cmake. Without a list of the release nothing is grouped.
tsb_release_files(unity_lists pytorch/unity_*.txt)
tsb_release_files(step_costs pytorch/step_costs.txt)

# make_static_libraries asks the backend.
tsb_find_data(file_of_backend "backends/${backend_kind}/backend.json")
tsb_find_data(hook_of_backend "backends/${backend_kind}/hooks/static_objects.cmake")

tsb_declare_package(
  pytorch
  DESCRIPTION "libtorch, and the base of every wheel and conda package"
  SOURCE pytorch
  PATCH_SCRIPTS ${more_patch_scripts}
  DEPENDS ${pytorch_depends}
  PROVIDES Torch Caffe2 ATen
  SYSTEM ${pytorch_system}
  MODULES ${pytorch_modules}
  OPTIONS ${release_options_pytorch} ${pytorch_options}
  ENVIRONMENT "PYTORCH_BUILD_VERSION=${TSB_SOURCE_VERSION}" ${pytorch_environment}
  INCLUDE ${pytorch_include} ${more_include}
  INPUTS ${pytorch_inputs} ${unity_lists} "${file_of_backend}" ${hook_of_backend}
  STAGE_SCRIPTS
    "${CMAKE_CURRENT_LIST_DIR}/../packaging/sbom/record_linked.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/pytorch/make_static_libraries.cmake"
    "${CMAKE_CURRENT_LIST_DIR}/pytorch/remove_third_party_files.cmake"
    STAGE_INPUTS
    "${CMAKE_CURRENT_LIST_DIR}/../packaging/torchpkg/src/archive" # make_static_libraries.cmake
  STEP_COSTS "${step_costs}"
  LICENSE_FILES LICENSE NOTICE third_party/LICENSES_BUNDLED.txt
  MEMORY_PER_JOB_MB 1800
  LINK_MEMORY_MB 4000 ${more_memory}
)

tsb_declare_release_features(pytorch pytorch)
