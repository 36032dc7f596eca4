# SPDX-License-Identifier: BSD-3-Clause
# cuSPARSELt of this machine, which the doctor has found (TSB_CUSPARSELT), as a prefix of links.
if(NOT TSB_CUSPARSELT)
  return()
endif()
tsb_declare_package(
  cusparselt
  DESCRIPTION "cuSPARSELt of this machine"
  BUILD_SYSTEM none
  MACHINE "${TSB_CUSPARSELT_FILE}"
  OPTIONS "CUSPARSELT_VERSION=${TSB_CUSPARSELT_version}"
  PROVIDES CUSPARSELT
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/cuda-toolkit/link_library.cmake"
)
