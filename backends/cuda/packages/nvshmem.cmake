# SPDX-License-Identifier: BSD-3-Clause
# NVSHMEM of this machine, which the doctor has found (TSB_NVSHMEM), as a prefix of links.
if(NOT TSB_NVSHMEM)
  return()
endif()
tsb_declare_package(
  nvshmem
  DESCRIPTION "NVSHMEM of this machine"
  BUILD_SYSTEM none
  MACHINE "${TSB_NVSHMEM_FILE}"
  OPTIONS "NVSHMEM_VERSION=${TSB_NVSHMEM_version}"
  PROVIDES NVSHMEM
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/cuda-toolkit/link_library.cmake"
)
