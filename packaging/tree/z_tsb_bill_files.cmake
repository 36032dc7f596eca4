# SPDX-License-Identifier: BSD-3-Clause
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/detail/tsb_progress.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/../../cmake/python/tsb_call_python.cmake)

# z_tsb_bill_files(<root of what is packed> <its bills, without .spdx.json and .cdx.json>): writes into the bills of
# materials which files there are, with their hashes. To be called last, when nothing changes them any more.
function(z_tsb_bill_files root bills)
  tsb_progress("hashing the files for the bills of materials")
  tsb_call_python("${artifact_build_folder}" sbom.add_files "${root}" "${bills}")
endfunction()
