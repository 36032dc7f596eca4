# SPDX-License-Identifier: BSD-3-Clause
# For the test's project, in a copy of this one (TREE): a package whose stage script writes a header, and an artifact.
set(TSB_PYTORCH_VERSION 2.6.0)
set(TSB_SOURCE_VERSION 2.6.0)
set(TSB_BACKEND cpu)
set(TSB_PRESET cpu-libtorch-shared)
set(TSB_ARTIFACTS libtorch-shared-with-deps)
get_filename_component(TREE "${CMAKE_SOURCE_DIR}/../../tree" ABSOLUTE)
include("${TREE}/cmake/artifact/tsb_choose_artifacts.cmake")
tsb_load_model(--backend=cpu)
include("${TREE}/packaging/cmake/tsb_add_artifacts.cmake")
enable_testing()
tsb_declare_package(
  pytorch
  DESCRIPTION P
  SOURCE a
  BUILD_SYSTEM none
  LICENSE_FILES LICENSE
  STAGE_SCRIPTS "${CMAKE_SOURCE_DIR}/../stage.cmake"
)
tsb_choose_artifacts(artifacts)
tsb_add_artifacts(NAMES ${artifacts} ROWS ${artifacts_ROWS})
