# SPDX-License-Identifier: BSD-3-Clause
# The ROCm of this machine, which the doctor has found (TSB_ROCM_TOOLKIT), as a prefix of links: its headers, the
# libraries that an artifact may have inside, and, where it lies in a folder of its own, that folder as rocm/. Nothing
# of it is shipped here.
set(components "")
foreach(component IN LISTS TSB_ROCM_TOOLKIT_components)
  list(APPEND components "${component} ${TSB_ROCM_TOOLKIT_components_${component}}")
endforeach()
list(JOIN components "," components)
tsb_declare_package(
  rocm-toolkit
  DESCRIPTION "ROCm ${TSB_ROCM_TOOLKIT_version} of this machine"
  BUILD_SYSTEM none
  MACHINE "${TSB_ROCM_TOOLKIT_FILE}"
  OPTIONS "ROCM_VERSION=${TSB_ROCM_TOOLKIT_version}" "ROCM_COMPONENTS=${components}"
  STAGE_SCRIPTS "${CMAKE_CURRENT_LIST_DIR}/rocm-toolkit/lay_out.cmake"
)
