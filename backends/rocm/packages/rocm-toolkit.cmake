# SPDX-License-Identifier: BSD-3-Clause
# The ROCm of this machine, which the doctor has found (TSB_ROCM_TOOLKIT), as a prefix of links: its headers, the
# libraries that an artifact may have inside, and, where it lies in a folder of its own, that folder as rocm/. Nothing
# of it is shipped here.
string(JSON version GET "${TSB_ROCM_TOOLKIT}" version)
string(JSON components GET "${TSB_ROCM_TOOLKIT}" components)
tsb_declare_package(
  rocm-toolkit
  DESCRIPTION "ROCm ${version} of this machine"
  BUILD_SYSTEM none
  MACHINE "${TSB_ROCM_TOOLKIT}"
  OPTIONS "ROCM_VERSION=${version}" "ROCM_COMPONENTS=${components}"
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/rocm-toolkit/lay_out.cmake" STAGE_INPUTS
                "${CMAKE_CURRENT_LIST_DIR}/../libraries.json"
)
